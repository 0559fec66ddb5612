import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const FIRST_FIELD = 3;
const START_TIME = 22;

/**
 * When a running process started, as the system formats it. Undefined if no process has this id, or if it is a zombie.
 * No two processes have both the same id and the same start time.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** proc_pid_stat(5): the fields after the name in parentheses, starting with the third (state). */
async function fromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" || fields?.[0] === "X" ? undefined : fields?.[START_TIME - FIRST_FIELD];
}

async function fromPs(pid: number): Promise<string | undefined> {
  // Whoever asks has the same text: it depends on the language and the time zone.
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const line = await promisify(execFile)("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env }).catch(
    () => undefined,
  );
  const [state = "Z", ...startTime] = line?.stdout.trim().split(/\s+/) ?? [];
  return state.startsWith("Z") || state === "" ? undefined : startTime.join(" ");
}
