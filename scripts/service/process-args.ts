import { join } from "node:path";

import { ROOT } from "@/scripts/service/root";

// Limits of the heap, so that garbage is collected early: V8 lets it grow by the memory of the machine.

/** Without it, web had 460 MB under a load of lists, with it some 350. */
const WEB_FLAGS = ["--max-old-space-size=600"];

/** Without limits the heap grows to many times what an import needs, and is no faster. */
const WORKER_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=400"];

export const WEB_ARGS = [...WEB_FLAGS, join(ROOT, "dist/web.js")];

export const WORKER_ARGS = [...WORKER_FLAGS, join(ROOT, "dist/worker.js")];
