import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

// Limits of the heap, so that garbage is collected early: V8 lets it grow by the memory of the machine.

/**
 * With these flags web takes 369 to 396 MB under lists. A young generation of 24 MB takes 389 to 428. Without
 * `--heap-growing-percent`, which collects all garbage once the heap has grown by 30 %, it takes 440 to 486.
 */
const WEB_FLAGS = ["--max-semi-space-size=16", "--heap-growing-percent=30", "--max-old-space-size=600"];

/** Without limits the heap grows to many times what an import needs, and is no faster. */
const WORKER_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WEB_ARGS = [...WEB_FLAGS, join(ROOT, "dist/web.js")];

export const WORKER_ARGS = [...WORKER_FLAGS, join(ROOT, "dist/worker.js")];
