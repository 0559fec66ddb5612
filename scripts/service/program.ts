import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

import { Fault } from "@/scripts/service/fault";

const ROOT = join(import.meta.dirname, "../..");
const KILL_AFTER_MS = 5_000;

interface ProgramOptions {
  /** What to call it when it fails; its command by default. */
  name?: string;
  env?: Record<string, string>;
  /** Collect what it prints and show it only when it fails. */
  quiet?: boolean;
  /** Ends it, and what it has started, when the person asks to stop; the reason is thrown. */
  asked?: AbortSignal;
}

/** Runs a command of node_modules/.bin on this Node. Throws a sentence when it fails. */
export async function runTool(name: string, args: readonly string[], options: ProgramOptions = {}): Promise<void> {
  await runProgram(process.execPath, [join(ROOT, "node_modules/.bin", name), ...args], { name, ...options });
}

/** Runs any program from the repository's root. Throws a sentence when it fails. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<void> {
  const { name = command, quiet = false, asked } = options;
  asked?.throwIfAborted();
  const output: Buffer[] = [];
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    // A group of its own, so that it can be ended together with what it has started.
    detached: asked !== undefined,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await untilGone(child, asked);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Fault(`${name} failed (exit code ${String(code)}). The lines above say why.`);
}

/**
 * The exit code of a child, which must lead a group of its own when the person may ask to stop: then the whole group is
 * ended.
 */
export async function untilGone(child: ChildProcess, asked: AbortSignal | undefined): Promise<number | null> {
  const gone = new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  const end = (): void => endGroup(child.pid, gone);
  asked?.addEventListener("abort", end, { once: true });
  const code = await gone.finally(() => asked?.removeEventListener("abort", end));
  asked?.throwIfAborted();
  return code;
}

function endGroup(pid: number | undefined, gone: Promise<unknown>): void {
  if (pid === undefined) return;
  signalGroup(pid, "SIGTERM");
  const kill = setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS);
  gone.finally(() => clearTimeout(kill)).catch(() => undefined);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
