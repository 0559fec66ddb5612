import { eventType, staticSchema } from "inngest";

import type { JobEvents } from "@/lib/jobs";

/** The events of lib/jobs.ts, as triggers of functions. */
export const analyzeRequested = eventType("migration/analyze.requested", { schema: staticSchema<JobEvents["migration/analyze.requested"]>() });
export const runRequested = eventType("migration/run.requested", { schema: staticSchema<JobEvents["migration/run.requested"]>() });
