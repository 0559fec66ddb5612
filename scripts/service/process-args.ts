import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

// Limits of the heap, so that garbage is collected early: V8 lets it grow by the memory of the machine.

/**
 * 389 MB under a load of lists, in place of 423 without the second, and of 440 to 463 without the first. The second
 * makes V8 collect all garbage once the heap has grown by 30 %. Smaller young generations save as much, and cost lists
 * speed: 16 MB 8 %.
 */
const WEB_FLAGS = ["--max-semi-space-size=24", "--heap-growing-percent=30", "--max-old-space-size=600"];

/** Without limits the heap grows to many times what an import needs, and is no faster. */
const WORKER_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WEB_ARGS = [...WEB_FLAGS, join(ROOT, "dist/web.js")];

export const WORKER_ARGS = [...WORKER_FLAGS, join(ROOT, "dist/worker.js")];
