import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import next from "next";

import { env, usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { isPagePath } from "@/lib/http/api/request-target";
import { openMetrics } from "@/lib/observability/open-metrics";
import { openTraces } from "@/lib/observability/open-traces";
import { closeTraces, inWork } from "@/lib/observability/instruments";
import { checkReadiness } from "@/lib/observability/readiness";
import { finishesWithin } from "@/lib/semaphore";
import { announceStop, shutDown } from "@/lib/shutdown";
import { flushStoredBytes } from "@/lib/storage-quota";
import { logConsole } from "@/scripts/service/web/log-console";
import { sendStatic } from "@/scripts/service/web/static-files";
import { collectAtRest } from "@/scripts/service/processes/collect-at-rest";
import { endOnDefect } from "@/scripts/service/processes/end-on-defect";
import { listenAtMetricsPort } from "@/scripts/service/processes/metrics-port";
import { Fault, REFUSAL_EXIT_CODE } from "@/scripts/service/fault";
import { portFault } from "@/scripts/service/free-port";
import { findStaticFile } from "@/scripts/service/web/find-static-file";
import { tellReadiness } from "@/scripts/service/processes/tell-readiness";
import { afterEarlierRequests } from "@/scripts/service/web/pipelined-requests";
import { answerExpectations, refuseInvalidRequest } from "@/scripts/service/web/refuse-invalid";
import { refuseTunnel, refuseUnparsed } from "@/scripts/service/web/refuse-unparsed";
import { endAtSignals } from "@/scripts/service/processes/end-at-signals";
import { endWithSupervisor } from "@/scripts/service/processes/end-with-supervisor";
import { answerThenClose } from "@/scripts/service/web/answer-then-close";
import { useBuiltConfig } from "@/scripts/service/web/built-config";
import { observeRequest } from "@/scripts/service/web/observe-request";
import { refuseUnsafeDatabase } from "@/scripts/service/processes/refuse-unsafe-database";
import { openRouteHandlers } from "@/scripts/service/web/route-handlers";
import { countConnections, inPageSlot } from "@/scripts/service/web/page-slots";
import { preloadRoutes } from "@/scripts/service/web/preload-routes";
import { readTemplates } from "@/scripts/service/web/route-templates";
import { setupInvitation } from "@/scripts/service/welcome";
import {
  setClientAddress,
  closeIfBodyUnread,
  removeRouterHeaders,
  assignRequestId,
  sendHeadWithBody,
  normalizeTarget,
  pathOf,
} from "@/scripts/service/web/web-request";
import { ROOT } from "@/scripts/service/root";

/** The timeout of a whole request. A body is at most 1 MiB, and occupies a slot of its organization as it arrives. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node looks for requests beyond that time. Its default would give them up to 30 s more. */
const TIMEOUT_CHECK_MS = 5_000;
/** What is still done after STOP_TIMEOUT_SECONDS may take so long: whoever stops the process waits little longer. */
const LAST_WORK_MS = 2_000;

endOnDefect();
logConsole();
const leaveSignals = endAtSignals();

// The web process: Next behind our own server, which sets the client's address and the request's id, answers what Next
// cannot read, and calls the handlers of the API.
if (env.METRICS_TOKEN) await openMetrics();
await openTraces("crm-web");
const findTemplate = await readTemplates(join(ROOT, ".next"));
await useBuiltConfig();
const app = next({ dev: false, dir: ROOT, port: env.PORT });
await app.prepare();
const handle = app.getRequestHandler();
const answerByHandler = await openRouteHandlers(join(ROOT, ".next"), findTemplate);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await afterEarlierRequests(request.socket, response))) return;
  const requestId = assignRequestId(request, response);
  closeIfBodyUnread(request, response);
  normalizeTarget(request);
  const work = observeRequest(request, response, requestId, findTemplate);
  // Within the work, so that what is logged names it.
  await inWork(work, () => answerWork(request, response, requestId).catch((error: unknown) => giveUp(error, response)));
}

function giveUp(error: unknown, response: ServerResponse): void {
  log.error({ err: error }, "a request could not be answered");
  if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
  response.end("Something went wrong on our side.\n");
}

async function answerWork(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
  if (await refuseInvalidRequest(request, response, requestId)) return;
  if (await sendStatic(ROOT, request, response, findStaticFile)) return;
  setClientAddress(request, env.TRUST_PROXY);
  removeRouterHeaders(request);
  sendHeadWithBody(request, response);
  if (await answerByHandler(request, response)) return;
  if (isPagePath(pathOf(request))) await inPageSlot(response, () => handle(request, response));
  else await handle(request, response);
}

// No protocol upgrade is supported, so a request for one is ignored (RFC 9110 §7.8). Next would close the connection.
const server = createServer(
  {
    keepAliveTimeout: 1000 * env.KEEP_ALIVE_SECONDS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    shouldUpgradeCallback: () => false,
    // `refuseInvalidRequest` does, and says why.
    requireHostHeader: false,
  },
  (request, response) => void answer(request, response).catch((error: unknown) => giveUp(error, response)),
);
answerExpectations(server);
server.on("connect", (request, socket) => void refuseTunnel(request, socket));

countConnections(server);
const answerAll = answerThenClose(server);
server.on("clientError", (error, socket) => void refuseUnparsed(error, socket));

let stopping = false;

function endProcess(haveAllEnded: boolean): never {
  log.info({ all_ended: haveAllEnded }, "web stopped");
  process.exit(0);
}

/** Ends the process though requests are in flight. What was traced and counted so far is sent and stored before. */
async function endLate(): Promise<never> {
  const kept = Promise.all([closeTraces(), flushStoredBytes()]);
  await finishesWithin(LAST_WORK_MS, kept).catch(() => false);
  return endProcess(false);
}

/**
 * Ends the process after the requests in flight, and the work that they started, are done, or STOP_TIMEOUT_SECONDS
 * later. Before it refuses new connections, it serves for STOP_DELAY_SECONDS while it is not ready: a load balancer
 * needs that long to notice.
 */
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "web stopping");
  announceStop();
  if (env.STOP_DELAY_SECONDS > 0) await delay(1000 * env.STOP_DELAY_SECONDS);
  setTimeout(() => void endLate(), 1000 * env.STOP_TIMEOUT_SECONDS).unref();
  try {
    await shutDown(answerAll());
    await Promise.all([closeTraces(), app.close()]);
    endProcess(true);
  } catch (error) {
    log.error({ err: error }, "web could not stop as it should");
    endProcess(false);
  }
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
leaveSignals();
endWithSupervisor();
collectAtRest();
await refuseUnsafeDatabase();
const sharesPort = env.WEB_PROCESSES > 1;
server.once("error", (error: NodeJS.ErrnoException) => {
  const fault = portFault({ port: env.PORT, host: env.LISTEN_HOST }, error);
  if (!(fault instanceof Fault)) throw error;
  log.fatal(fault.message);
  // Another process may leave the port free soon. An address or a right will not come by waiting.
  process.exit(error.code === "EADDRINUSE" ? 1 : REFUSAL_EXIT_CODE);
});
server.listen({ port: env.PORT, host: env.LISTEN_HOST, reusePort: sharesPort }, () => {
  log.info({ port: env.PORT }, "web ready");
  tellReadiness(checkReadiness);
});
if (sharesPort) listenAtMetricsPort();
void preloadRoutes(join(ROOT, ".next"));
// A supervisor prints the invitation itself.
if (!process.send) {
  const invitation = await setupInvitation(env.APP_URL).catch((error: unknown) =>
    log.error({ err: error }, "could not check whether there is an organization"),
  );
  if (invitation) process.stderr.write(`${invitation}\n`);
}
if (usesInngestServer) {
  const { registerFunctions } = await import("@/inngest/serving");
  const { startSweeper } = await import("@/inngest/sweeper");
  void registerFunctions();
  startSweeper();
}
