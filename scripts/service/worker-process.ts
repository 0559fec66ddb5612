import { join } from "node:path";

/**
 * How the worker is started: with Node's small young generation. By default it grows to many times what an import holds at a time, and
 * the process with it, without being any faster.
 */
export const WORKER_ARGS = ["--max-semi-space-size=8", "--import", "tsx", join(import.meta.dirname, "../worker.ts")];
