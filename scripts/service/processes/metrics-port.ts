import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { env } from "@/lib/env";
import { metricsResponse } from "@/lib/http/api/metrics-response";
import { log } from "@/lib/log";

/** Who may ask: this machine, unless LISTEN_HOST says more. The token protects the metrics anyway. */
const DEFAULT_HOST = "127.0.0.1";

const METRICS = "/api/metrics";

/** What web's routes of these names answer, for probes. */
const LIVENESS = "/api/health/live";
const READINESS = "/api/health/ready";

/**
 * Shows that a process without an address of its own lives, a worker or one of several web processes, and its metrics:
 * at METRICS_PORT, if that is set, under the paths that they have in web; of a worker also `isReady`, whether it takes
 * jobs. A port that is taken is no reason not to work.
 */
export function listenAtMetricsPort(isReady?: () => boolean): void {
  if (env.METRICS_PORT === undefined) return;
  const server = createServer((request, response) => {
    answer(request, response, isReady).catch((error: unknown) => {
      log.error({ err: error }, "the metrics could not be shown");
      response.writeHead(500).end();
    });
  });
  server.on("error", ({ message }) =>
    log.warn(
      { port: env.METRICS_PORT, reason: message },
      "metrics and health are not shown: METRICS_PORT, or LISTEN_HOST with it, cannot be used",
    ),
  );
  server.listen({ port: env.METRICS_PORT, host: env.LISTEN_HOST ?? DEFAULT_HOST });
  // It must not keep a stopped process.
  server.unref();
}

async function answer(request: IncomingMessage, response: ServerResponse, isReady?: () => boolean): Promise<void> {
  const { status, headers, body } = await answerOf(request, isReady);
  response.writeHead(status, Object.fromEntries(headers));
  response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
}

async function answerOf({ method, url = "", headers }: IncomingMessage, isReady?: () => boolean): Promise<Response> {
  const path = method === "GET" ? url.split("?", 1)[0] : undefined;
  if (path === LIVENESS) return health("ok");
  if (path === READINESS && isReady) return isReady() ? health("ready") : health("not ready", 503);
  if (path !== METRICS) return new Response(null, { status: 404 });
  const { authorization } = headers;
  const asked = new Request(`http://process.invalid${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  return metricsResponse(asked);
}

function health(status: string, http = 200): Response {
  return Response.json({ status }, { status: http, headers: { "cache-control": "no-store" } });
}
