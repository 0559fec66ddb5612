import { join } from "node:path";

/**
 * How the worker is started: with a heap that is bounded, and therefore collected early. Without the bounds it grows to
 * many times what an import holds at a time, and is no faster.
 */
const MEMORY_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WORKER_ARGS = [...MEMORY_FLAGS, "--import", "tsx", join(import.meta.dirname, "../worker.ts")];
