import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import type { InngestFunction } from "inngest";
import { serve } from "inngest/node";
import { z } from "zod";

import { inngest } from "@/inngest/client";
import { startWorker } from "@/inngest/worker";
import { env, usesInngestServer } from "@/lib/env";
import { listen } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

/**
 * A wait that a loaded machine does not break; a promise that is kept is kept much sooner. An Inngest server waits up
 * to a minute and a half before a second retry.
 */
const LONG_MS = usesInngestServer ? 5 * 60_000 : 3 * 60_000;

/**
 * Runs functions on the engine under test, and returns what stops it: the embedded engine, or, in the project
 * `inngest-server`, the server of INNGEST_BASE_URL, which has to keep the same promises (tests/inngest/README.md).
 */
export async function startEngine(functions: readonly InngestFunction.Any[]): Promise<() => Promise<void>> {
  if (usesInngestServer) return serveToInngest(functions);
  const worker = await startWorker({ functions, lookInterval: 100, backoff: () => 50 });
  return async () => {
    await worker.stop();
  };
}

async function serveToInngest(functions: readonly InngestFunction.Any[]): Promise<() => Promise<void>> {
  const handler = serve({ client: inngest, functions: [...functions], enableUnauthedSync: true });
  const server = createServer(handler);
  const registered = await fetch(`${await listen(server)}/api/inngest`, { method: "PUT" });
  if (!registered.ok) throw new Error(`The Inngest server refused the functions: ${await registered.text()}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/**
 * Waits until `probe` returns something other than undefined or false, and returns it. Fails with `what` after a
 * minute.
 */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + LONG_MS;
  while (Date.now() < deadline) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    await delay(20);
  }
  throw new Error(`Waited in vain: ${what}`);
}

const answeredRun = z.object({ data: z.object({ status: z.string() }) });

/** Waits until the engine has cancelled a run. */
export async function untilCancelled(runId = ""): Promise<void> {
  await until(`the cancellation of the run ${runId}`, async () => (await stateOf(runId)) === "cancelled");
}

async function stateOf(runId: string): Promise<string | undefined> {
  if (!usesInngestServer) {
    const { rows } = await pool().query<{ state: string }>("select state from job_runs where id = $1", [runId]);
    return rows[0]?.state;
  }
  const headers = { authorization: `Bearer ${env.INNGEST_SIGNING_KEY ?? ""}` };
  const answer = await fetch(`${env.INNGEST_BASE_URL ?? env.INNGEST_DEV}/v1/runs/${runId}`, { headers });
  return answer.ok ? answeredRun.parse(await answer.json()).data.status.toLowerCase() : undefined;
}

/** What functions did, under the key that their event carries. */
export class Trace {
  readonly #entries = new Map<string, unknown[]>();

  add(key: string, entry: unknown): void {
    this.#entries.set(key, [...this.of(key), entry]);
  }

  of(key: string): unknown[] {
    return this.#entries.get(key) ?? [];
  }

  /** Waits for an entry. */
  async has(key: string, entry: unknown): Promise<void> {
    await until(`"${String(entry)}" of ${key}; so far: ${JSON.stringify(this.of(key))}`, () =>
      this.of(key).includes(entry),
    );
  }
}
