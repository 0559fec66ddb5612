import { setTimeout as delay } from "node:timers/promises";

import { serve } from "inngest/next";
import type { NextRequest } from "next/server";

import { inngest } from "@/inngest/client";
import { functions } from "@/inngest/functions/all";
import { env, usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";

const PATH = "/api/inngest";

/**
 * The same in every web process: whatever balances between them. Registered at a process of its own, all jobs would run
 * there.
 */
const ORIGIN = env.INNGEST_SERVE_ORIGIN ?? env.APP_URL;

/** Where an Inngest server calls our functions: the registered address, never one that a request names. */
export const JOB_ADDRESS = `${ORIGIN}${PATH}`;

const MIN_RETRY_MS = 1000;

const MAX_RETRY_MS = 60_000;

function handler(options: { enableUnauthedSync: boolean }) {
  return serve({ client: inngest, functions: [...functions], serveOrigin: ORIGIN, servePath: PATH, ...options });
}

/**
 * The SDK's handlers for requests of an Inngest server. Undefined with the embedded engine, whose client accepts
 * unsigned requests.
 */
export const jobHandlers = usesInngestServer ? handler({ enableUnauthedSync: false }) : undefined;

/**
 * Registers the functions of this version and their address at the Inngest server; retries until it succeeds. It calls
 * the SDK's registration in this process, by a handler that no request reaches.
 */
export async function registerFunctions(): Promise<void> {
  const { PUT } = handler({ enableUnauthedSync: true });
  for (let wait = MIN_RETRY_MS; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
    const answer = await PUT(new Request(JOB_ADDRESS, { method: "PUT" }) as NextRequest, undefined);
    const said = await answer.text();
    if (answer.ok) return log.info({ address: JOB_ADDRESS }, "the Inngest server knows the functions");
    log.warn(
      { status: answer.status, said: said.slice(0, 500), wait_ms: wait },
      "the Inngest server has not taken the functions; asking again",
    );
    await delay(wait, undefined, { ref: false });
  }
}
