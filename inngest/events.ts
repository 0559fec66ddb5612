import { eventType, staticSchema } from "inngest";

import type { JobEvents } from "@/lib/jobs";

/** The events of lib/jobs.ts, as triggers of functions. */
export const analyzeRequested = eventType("migration/analyze.requested", { schema: staticSchema<JobEvents["migration/analyze.requested"]>() });
export const runRequested = eventType("migration/run.requested", { schema: staticSchema<JobEvents["migration/run.requested"]>() });
export const drainRequested = eventType("webhooks/drain.requested", { schema: staticSchema<JobEvents["webhooks/drain.requested"]>() });
export const retryScheduled = eventType("webhooks/retry.scheduled", { schema: staticSchema<JobEvents["webhooks/retry.scheduled"]>() });
