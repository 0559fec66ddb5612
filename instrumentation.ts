import type { Instrumentation } from "next";

/**
 * Logs what a page threw, with the id of its request beside the digest, which is the reference that the page shows.
 * Next calls it for pages and for the route handlers that it calls (scripts/service/web/route-handlers.ts calls
 * others).
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, { routePath }) => {
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { log } = await import("@/lib/log");
  const { logUnavailability, unavailability } = await import("@/lib/unavailable");
  const { noteOutage } = await import("@/lib/http/pages/outages");
  const requestId = String(request.headers["x-request-id"]);
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  const outage = unavailability(error);
  if (outage) {
    noteOutage(requestId);
    return logUnavailability(outage, { request_id: requestId, what: routePath, digest });
  }
  log.error({ err: error, digest, request_id: requestId, route: routePath }, "a page failed");
};

/**
 * Runs once when the web process starts: from then on it can ask for jobs. The worker runs them, or, with an Inngest
 * server, this process when it is called (inngest/serving.ts).
 */
export async function register(): Promise<void> {
  // Next inserts this constant at build time, and also compiles the file for its edge runtime, which has no database.
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { registerSender } = await import("@/inngest/client");
  registerSender();
}
