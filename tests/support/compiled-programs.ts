import { join } from "node:path";

import { compile, compileIfNeeded } from "@/scripts/compile.mjs";
import { ROOT } from "@/scripts/service/root";

/** Programs that only tests start → their sources. */
const PROGRAMS = {
  "crash-worker": "tests/inngest/fixtures/crash-worker.ts",
  "draining-process": "tests/webhooks/fixtures/draining-process.ts",
  "failing-receiver": "tests/webhooks/fixtures/failing-receiver.ts",
};

/** Not in `dist`, which another command may compile anew meanwhile. */
const FOLDER = "node_modules/.cache/tests";

/** The path of a compiled program of the tests. */
export function compiledProgram(name: keyof typeof PROGRAMS): string {
  return join(ROOT, FOLDER, `${name}.js`);
}

async function compileAll(): Promise<void> {
  await compileIfNeeded(ROOT);
  await compile(ROOT, PROGRAMS, FOLDER);
}

// Each project has its own setup, with its own modules, in one process.
const holder = globalThis as typeof globalThis & { crmPrograms?: Promise<void> };

/**
 * Vitest's global setup: tests start the programs of the service as they are delivered, and their own compiled
 * likewise. From its source a worker takes a core for a second or two longer to start, and some suites start twenty.
 */
export default function setup(): Promise<void> {
  return (holder.crmPrograms ??= compileAll());
}
