import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

import { Fault } from "@/scripts/service/fault";
import { ROOT } from "@/scripts/service/root";

const KILL_AFTER_MS = 5_000;

interface ProgramOptions {
  /** Its name in error messages. Default: its command. */
  name?: string;
  env?: Record<string, string>;
  /** Collects the output and prints it only if the program fails. */
  quiet?: boolean;
  /** Ends the program, and all processes it started. Its reason is thrown. */
  stopSignal?: AbortSignal;
}

/** Runs a command of node_modules/.bin with this Node. Throws Fault if it fails. */
export async function runTool(name: string, args: readonly string[], options: ProgramOptions = {}): Promise<void> {
  await runProgram(process.execPath, [join(ROOT, "node_modules/.bin", name), ...args], { name, ...options });
}

/** Runs any program in the repository's root. Throws Fault if it fails. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<void> {
  const { name = command, quiet = false, stopSignal } = options;
  stopSignal?.throwIfAborted();
  const output: Buffer[] = [];
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    // A separate process group, so that it can be ended together with the processes it started.
    detached: stopSignal !== undefined,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await waitForExit(child, stopSignal);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Fault(`${name} failed (exit code ${String(code)}). The lines above say why.`);
}

/** The exit code of a child. An abort ends its whole process group, which the child must lead. */
export async function waitForExit(child: ChildProcess, stopSignal: AbortSignal | undefined): Promise<number | null> {
  const exited = new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  const end = (): void => endGroup(child.pid, exited);
  stopSignal?.addEventListener("abort", end, { once: true });
  const code = await exited.finally(() => stopSignal?.removeEventListener("abort", end));
  stopSignal?.throwIfAborted();
  return code;
}

function endGroup(pid: number | undefined, exited: Promise<unknown>): void {
  if (pid === undefined) return;
  signalGroup(pid, "SIGTERM");
  const kill = setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS);
  exited.finally(() => clearTimeout(kill)).catch(() => undefined);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already exited.
  }
}
