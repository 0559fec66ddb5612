import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

/**
 * Limits of the worker's heap, so that garbage is collected early. Without them it grows to many times what an import
 * needs, and is no faster.
 */
const MEMORY_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WORKER_ARGS = [...MEMORY_FLAGS, join(ROOT, "dist/worker.js")];
