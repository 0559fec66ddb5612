import { join } from "node:path";

/**
 * Limits of the worker's heap, so that garbage is collected early. Without them it grows to many times what an import
 * needs, and is no faster.
 */
const MEMORY_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WORKER_ARGS = [...MEMORY_FLAGS, "--import", "tsx", join(import.meta.dirname, "../worker.ts")];
