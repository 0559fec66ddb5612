import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { compiledProgram } from "@/tests/support/compiled-programs";

const children = new Set<ChildProcess>();

export interface WorkerProcess {
  pid: number;
  /** `kill -9`: no handler runs, nothing is given back. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>;
}

/** Starts a worker in a process of its own; resolves when it is ready to take work. */
export async function startWorkerProcess(): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [compiledProgram("crash-worker")], {
    env: { ...process.env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const exited = once(child, "exit").then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  await Promise.race([
    saidReady(child),
    exited.then((code) => Promise.reject(new Error(`The worker ended with ${code} before it was ready.`))),
  ]);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return { pid: child.pid ?? 0, kill: async () => void (await end("SIGKILL")), terminate: () => end("SIGTERM") };
}

async function saidReady(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error("no output");
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve) => lines.on("line", (line) => line.includes("worker ready") && resolve()));
}

/** Kills what a failed test left running. */
export function killWorkerProcesses(): void {
  for (const child of children) child.kill("SIGKILL");
}
