import { Inngest, eventType, staticSchema } from "inngest";

import { engineFetch } from "@/inngest/engine/fetch";
import { env, usesInngestServer } from "@/lib/env";
import { isInngestDevServer } from "@/lib/env-rules";
import { type JobEvents, registerJobSender } from "@/lib/jobs";
import { log } from "@/lib/log";
import { currentWork } from "@/lib/observability/instruments";

const APP_ID = "crm";

/** With the embedded engine nothing goes over the network: its `fetch` writes to PostgreSQL. */
const EMBEDDED = { isDev: true, baseUrl: "http://embedded.invalid/", fetch: engineFetch };

/**
 * `isDev` decides whether the SDK checks signatures. It is set here, because the SDK would also read it from variables
 * of other names (NEXT_PUBLIC_INNGEST_DEV).
 */
const SERVER = { isDev: isInngestDevServer(env) };

/** The only Inngest client: it sends events and creates functions, whichever engine runs them. */
export const inngest = new Inngest({
  id: APP_ID,
  logger: log,
  aiMetadata: false,
  ...(usesInngestServer ? SERVER : EMBEDDED),
});

/** The events of lib/jobs.ts, as triggers of functions. */
export const analyzeRequested = eventType("migration/analyze.requested", {
  schema: staticSchema<JobEvents["migration/analyze.requested"]>(),
});

export const runRequested = eventType("migration/run.requested", {
  schema: staticSchema<JobEvents["migration/run.requested"]>(),
});

export const searchRequested = eventType("migration/search.requested", {
  schema: staticSchema<JobEvents["migration/search.requested"]>(),
});

export const undoRequested = eventType("migration/undo.requested", {
  schema: staticSchema<JobEvents["migration/undo.requested"]>(),
});

export const proveRequested = eventType("migration/prove.requested", {
  schema: staticSchema<JobEvents["migration/prove.requested"]>(),
});

export const eraseRequested = eventType("organization/erase.requested", {
  schema: staticSchema<JobEvents["organization/erase.requested"]>(),
});

export const drainRequested = eventType("webhooks/drain.requested", {
  schema: staticSchema<JobEvents["webhooks/drain.requested"]>(),
});

export const retryScheduled = eventType("webhooks/retry.scheduled", {
  schema: staticSchema<JobEvents["webhooks/retry.scheduled"]>(),
});

/**
 * Makes `requestJob` (lib/jobs.ts) send through the Inngest client in this process. If traces are exported, the event
 * names the span that requests the job, so that the job belongs to its trace.
 */
export function registerSender(): void {
  registerJobSender(async (name, data, id) => {
    const traceparent = currentWork()?.traceparent;
    await inngest.send({ name, data: traceparent === undefined ? data : { ...data, traceparent }, id });
  });
}
