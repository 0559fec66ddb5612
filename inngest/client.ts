import { eventType, Inngest, type Logger, RetryAfterError, staticSchema } from "inngest";

import { storeEvents } from "@/inngest/engine/events";
import { engineFetch } from "@/inngest/engine/fetch";
import { type SendRequests, storeRequests } from "@/inngest/job-requests";
import { env, usesInngestServer } from "@/lib/env";
import { isInngestDevServer } from "@/lib/env-rules";
import { type JobEvents, type JobStore, registerJobSender } from "@/lib/jobs";
import { log } from "@/lib/log";
import { currentWork } from "@/lib/observability/instruments";
import { finishesWithin } from "@/lib/semaphore";

const APP_ID = "crm";

/** The options for the embedded engine. Nothing goes over the network: its `fetch` writes to PostgreSQL. */
const EMBEDDED = { isDev: true, baseUrl: "http://embedded.invalid/", fetch: engineFetch };

/**
 * `isDev` decides whether the SDK checks signatures. It is set here, because the SDK would also read it from variables
 * of other names (NEXT_PUBLIC_INNGEST_DEV).
 */
const SERVER = { isDev: isInngestDevServer(env) };

/** The SDK logs each attempt that fails as an error, though it may be repeated. The embedded engine tells it itself. */
const TOLD_BY_ENGINE = new Set(["Inngest function error", "Inngest step error"]);

/** An attempt that names when to try again waits for something outside, such as an org: nobody has to be called. */
function levelOf(err: unknown, message: string): "debug" | "warn" | "error" {
  if (!usesInngestServer && TOLD_BY_ENGINE.has(message)) return "debug";
  return err instanceof RetryAfterError ? "warn" : "error";
}

function loggerOfSdk(of: typeof log): Logger & { child: (names: object) => Logger } {
  return {
    debug: of.debug.bind(of),
    info: of.info.bind(of),
    warn: of.warn.bind(of),
    error(fields: { err?: unknown }, message: string) {
      of[levelOf(fields.err, message)](fields, message);
    },
    child: (names) => loggerOfSdk(of.child(names)),
  };
}

/** The only Inngest client: it sends events and creates functions, whichever engine runs them. */
export const inngest = new Inngest({
  id: APP_ID,
  logger: loggerOfSdk(log),
  aiMetadata: false,
  ...(usesInngestServer ? SERVER : EMBEDDED),
});

/** The events of lib/jobs.ts, as triggers of functions. */
export const analyzeRequested = jobEvent("migration/analyze.requested");
export const runRequested = jobEvent("migration/run.requested");
export const searchRequested = jobEvent("migration/search.requested");
export const undoRequested = jobEvent("migration/undo.requested");
export const proveRequested = jobEvent("migration/prove.requested");
export const eraseRequested = jobEvent("organization/erase.requested");
export const drainRequested = jobEvent("webhooks/drain.requested");
export const retryScheduled = jobEvent("webhooks/retry.scheduled");

function jobEvent<Name extends keyof JobEvents>(name: Name) {
  return eventType(name, { schema: staticSchema<JobEvents[Name]>() });
}

/** The SDK tries five times, and would wait minutes each time for a server that says nothing. */
const SEND_TIMEOUT_MS = 20_000;

/** Sends requests to the job engine, all or none. */
export const sendRequests: SendRequests = async (requests) => {
  const sent = inngest.send([...requests]);
  if (!(await finishesWithin(SEND_TIMEOUT_MS, sent))) throw new Error("The job engine did not answer in time.");
};

/** The embedded engine's events are rows of the same database, so nothing has to wait for it. */
const storeEmbedded: JobStore = (client, requests) =>
  storeEvents(
    client,
    requests.map(traced).map(({ name, data, id }) => ({ id, name, data, ts: Date.now() })),
  );

const storeForServer: JobStore = (client, requests) => storeRequests(client, requests.map(traced), sendRequests);

/** If traces are exported, the event names the span that requests the job, so that the job belongs to its trace. */
function traced<Request extends { data: object }>(request: Request): Request {
  const traceparent = currentWork()?.traceparent;
  return traceparent === undefined ? request : { ...request, data: { ...request.data, traceparent } };
}

/** Makes `requestJob` and `requestJobs` (lib/jobs.ts) use the Inngest client in this process. */
export function registerSender(): void {
  registerJobSender(
    async (name, data, id) => {
      await inngest.send(traced({ name, data, id }));
    },
    usesInngestServer ? storeForServer : storeEmbedded,
  );
}
