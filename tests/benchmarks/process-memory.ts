import { readdir, readFile } from "node:fs/promises";

/** A field of proc_pid_status(5): all memory that is resident, the highest that it was, or what no file is behind. */
type Field = "VmRSS" | "VmHWM" | "RssAnon";

/** The memory of a process in megabytes (Linux). One that has just ended holds nothing. */
export async function memoryOf(pid: number | undefined, field: Field): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(new RegExp(String.raw`${field}:\s+(\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
}

/**
 * The memory of processes together in megabytes, where each page that several of them share counts once:
 * proc_pid_smaps(5), "Pss".
 */
export async function memoryTogether(pids: readonly (number | undefined)[]): Promise<number> {
  const rollups = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, "utf8")));
  const kilobytes = rollups.map((rollup) => Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]));
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** The processes that a process started and that still run (Linux). */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => /PPid:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8").catch(() => ""))?.[1]),
  );
  return pids.filter((_, index) => Number(parents[index]) === parent);
}
