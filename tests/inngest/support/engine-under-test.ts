import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import type { InngestFunction } from "inngest";
import { serve } from "inngest/node";

import { inngest } from "@/inngest/client";
import { startWorker } from "@/inngest/worker";
import { usesInngestServer } from "@/lib/env";

/** A wait that a loaded machine does not break; a promise that is kept is kept much sooner. */
const LONG_MS = 60_000;

/**
 * Runs functions on the engine under test, and returns what stops it: the embedded engine, or, with INNGEST_DEV set to
 * the address of a server (`inngest dev --no-discovery`), that server, which then has to keep the same promises.
 */
export async function startEngine(functions: readonly InngestFunction.Any[]): Promise<() => Promise<void>> {
  if (usesInngestServer) return serveToInngest(functions);
  const worker = await startWorker({ functions, lookInterval: 100, backoff: () => 50 });
  return async () => {
    await worker.stop();
  };
}

async function serveToInngest(functions: readonly InngestFunction.Any[]): Promise<() => Promise<void>> {
  const server = createServer(serve({ client: inngest, functions: [...functions] }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const registered = await fetch(`http://127.0.0.1:${port}/api/inngest`, { method: "PUT" });
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
