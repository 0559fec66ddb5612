import { Client } from "pg";
import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { claimDue } from "@/lib/webhooks/sending/claim-deliveries";
import { recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import type { Attempt } from "@/lib/webhooks/sending/send";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { openWebhook } from "@/tests/webhooks/support/own-webhook";

const URL = "https://hooks.example.com/crm";
/** The queue's length, of which no statistics know. */
const COPIES = 15_000;

/** As the service's client passes a statement on to pg's. */
interface Sent {
  name?: string;
  text: string;
  values: unknown[];
  callback: (error: null, result: unknown) => void;
}

type Query = (this: Client, given: Sent) => unknown;

/**
 * How the statement of this name, which answers nothing meanwhile, is carried out during `work`: by what it finds rows,
 * and how many it read and did not need.
 */
async function explainDuring(name: string, work: () => Promise<unknown>): Promise<{ plan: string; inVain: number }> {
  const original = Client.prototype.query as unknown as Query;
  let plan = "";
  const explaining: Query = function (given) {
    if (given.name !== name) return original.call(this, given);
    const explain = async (): Promise<void> => {
      const { rows } = await this.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${given.text}`, values: given.values });
      plan = JSON.stringify(rows);
      given.callback(null, { rows: [] });
    };
    return explain();
  };
  Object.assign(Client.prototype, { query: explaining });
  try {
    await work();
  } finally {
    Object.assign(Client.prototype, { query: original });
  }
  const removed = [...plan.matchAll(/"Rows Removed by Filter":([\d.]+)/g)];
  return { plan, inVain: removed.reduce((sum, [, count]) => sum + Number(count), 0) };
}

/** A webhook with one delivery that can be sent, which has waited longest, at the head of a long queue. */
async function openLongQueue(): Promise<WebhookKey> {
  const context = await createContext();
  const key = await openWebhook(context, { url: URL });
  await pool().query("ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)");
  await run(createOperation("accounts"), context, NEEDED.accounts);
  await pool().query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
     SELECT organization_id, webhook_id, gen_random_uuid(), event_tx, type, created_at, now()
       FROM webhook_deliveries, generate_series(1, ${COPIES})
     WHERE webhook_id = $1`,
    [key.webhookId],
  );
  await pool().query(
    `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 minute' WHERE event_id IN (SELECT id
      FROM events)`,
  );
  // As statistics were taken when the queue was empty, which it mostly is.
  await pool().query("UPDATE pg_class SET reltuples = 0, relpages = 100 WHERE oid = 'webhook_deliveries'::regclass");
  return key;
}

test("what was leased is found by its key when its attempt is recorded, however long the queue is", async () => {
  const key = await openLongQueue();
  const { deliveries } = await claimDue(key, { inFlight: [], limit: 1, maxBytes: 0 });
  const attempt: Attempt = {
    startedAt: performance.now(),
    latencyMs: 1,
    status: 204,
    error: null,
    headers: {},
    body: "",
    retryAfterMs: 0,
  };
  const ended = deliveries.map(({ eventId, tries, leasedUntil }) => ({
    eventId,
    url: URL,
    tries,
    leasedUntil,
    attempt,
  }));
  expect(ended).toHaveLength(1);
  const { plan, inVain } = await explainDuring("webhooks-record", () => recordAttempts(key, ended));
  expect(plan).toContain("webhook_deliveries_pkey");
  expect(inVain).toBe(0);
});

test("a claim reads what it claims; under row-level security it read the whole queue before", async () => {
  const key = await openLongQueue();
  const { plan, inVain } = await explainDuring("webhooks-claim", () =>
    claimDue(key, { inFlight: [], limit: 64, maxBytes: 1e6 }),
  );
  expect(plan).toContain('"Actual Rows":64');
  expect(inVain).toBe(0);
});
