import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";

import next from "next";

import { env, usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { shutDown } from "@/lib/shutdown";
import { endOnDefect } from "@/scripts/service/end-on-defect";
import { noteOwed, refuseUnparsed } from "@/scripts/service/refuse-unparsed";
import { endWithSupervisor } from "@/scripts/service/end-with-supervisor";
import { refuseOwner } from "@/scripts/service/refuse-owner";
import { invite } from "@/scripts/service/welcome";
import {
  answerUnreadable,
  claimAddress,
  closeWhenUnread,
  forgetRouter,
  giveId,
  sendHeadWithBody,
  takeAbsoluteForm,
} from "@/scripts/service/web-request";

const ROOT = join(import.meta.dirname, "..");

/**
 * Longer than the minute for which proxies usually keep an idle connection, so that none is closed just as a request is
 * sent on it.
 */
const KEEP_ALIVE_MS = 65_000;
const STOP_WITHIN_MS = 9_000;
/** For a whole request: a body has 1 MiB, and holds one of its organization's places while it comes. */
const REQUEST_WITHIN_MS = 60_000;

// tsx turns source maps on, which would hold those of the whole build in memory (60 MB) and map no stack: Next writes
// stacks by itself.
process.setSourceMapsEnabled(false);
endOnDefect();

// The web process: Next behind a server of our own, which says where a request comes from, names it, and answers what
// Next cannot read.
const app = next({ dev: false, dir: ROOT, port: env.PORT });
await app.prepare();
const handle = app.getRequestHandler();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  noteOwed(request.socket, response);
  const requestId = giveId(request, response);
  closeWhenUnread(request, response);
  takeAbsoluteForm(request);
  if (await answerUnreadable(request, response, requestId)) return;
  claimAddress(request, env.TRUST_PROXY);
  forgetRouter(request);
  sendHeadWithBody(request, response);
  await handle(request, response);
}

// Nothing here changes its protocol, so an offer to is passed over (RFC 9110 §7.8); Next would close the connection.
const server = createServer(
  { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_WITHIN_MS, shouldUpgradeCallback: () => false },
  (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, "request failed before it reached a route");
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
      response.end("Something went wrong on our side.\n");
    });
  },
);

server.on("clientError", (error, socket) => void refuseUnparsed(error, socket));

let stopping = false;

/** Lets the requests that are under way end, and what they have begun, then the process. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  const requests = new Promise((done) => void server.close(done));
  void shutDown(requests)
    .then(() => app.close())
    .finally(() => process.exit(0));
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
endWithSupervisor();
await refuseOwner();
server.listen({ port: env.PORT, host: env.LISTEN_HOST });
// A supervisor says it by itself.
if (!process.send) {
  const invitation = await invite(env.APP_URL).catch((error: unknown) =>
    log.error({ err: error }, "could not find out whether there is an organization"),
  );
  if (invitation) console.error(invitation);
}
if (usesInngestServer) {
  const { registerFunctions } = await import("@/inngest/serving");
  void registerFunctions();
}
