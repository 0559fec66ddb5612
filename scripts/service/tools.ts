import { spawn } from "node:child_process";
import { join } from "node:path";

import { Fault } from "@/scripts/service/fault";

const ROOT = join(import.meta.dirname, "../..");

interface ToolOptions {
  env?: Record<string, string>;
  /** Collect what it prints and show it only when it fails. */
  quiet?: boolean;
}

/** Runs a command of node_modules/.bin on this Node. Throws a sentence when it fails. */
export async function runTool(name: string, args: readonly string[], { env, quiet = false }: ToolOptions = {}): Promise<void> {
  await runProgram(process.execPath, [join(ROOT, "node_modules/.bin", name), ...args], name, { env, quiet });
}

/** Runs any program from the repository's root. Throws a sentence when it fails. */
export async function runProgram(command: string, args: readonly string[], name = command, { env, quiet = false }: ToolOptions = {}): Promise<void> {
  const output: Buffer[] = [];
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((done, fail) => child.once("exit", done).once("error", fail));
  if (code === 0) return;
  process.stdout.write(Buffer.concat(output));
  throw new Fault(`${name} found faults (exit code ${String(code)}); see above.`);
}
