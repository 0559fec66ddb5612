import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { env } from "@/lib/env";
import { metricsResponse } from "@/lib/http/api/metrics-response";
import { log } from "@/lib/log";

/** Who may ask: this machine, unless LISTEN_HOST says more. The token protects the metrics anyway. */
const DEFAULT_HOST = "127.0.0.1";

const METRICS = "/api/metrics";

/** What web's route of this name answers, for probes. */
const LIVENESS = "/api/health/live";

/**
 * Shows that a process without an address of its own lives, a worker or one of several web processes, and its metrics:
 * at METRICS_PORT, if that is set, under the paths that they have in web. A port that is taken is no reason not to
 * work.
 */
export function listenAtMetricsPort(): void {
  if (env.METRICS_PORT === undefined) return;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, "the metrics could not be shown");
      response.writeHead(500).end();
    });
  });
  server.on("error", ({ message }) =>
    log.warn(
      { port: env.METRICS_PORT, reason: message },
      "metrics and liveness are not shown: METRICS_PORT, or LISTEN_HOST with it, cannot be used",
    ),
  );
  server.listen({ port: env.METRICS_PORT, host: env.LISTEN_HOST ?? DEFAULT_HOST });
  // It must not keep a stopped process.
  server.unref();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization } = request.headers;
  const [path] = (request.url ?? "").split("?", 1);
  if (request.method !== "GET" || (path !== METRICS && path !== LIVENESS)) return void response.writeHead(404).end();
  const asked = new Request(`http://process.invalid${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  const { status, headers, body } = path === METRICS ? await metricsResponse(asked) : alive();
  response.writeHead(status, Object.fromEntries(headers));
  response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
}

function alive(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
