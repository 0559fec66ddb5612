import { Client } from "pg";
import { expect, test } from "vitest";

import { createOperation } from "@/lib/records/operations";
import { claimDue } from "@/lib/webhooks/due-deliveries";
import { recordAttempts } from "@/lib/webhooks/record-attempts";
import type { Attempt } from "@/lib/webhooks/send";
import { NEEDED, run } from "@/tests/records/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { openWebhook } from "./own-webhook";

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

/** How the statement that records attempts is carried out during `work`: rows that it read and did not need. */
async function rowsReadInVain(work: () => Promise<void>): Promise<number> {
  const original = Client.prototype.query as unknown as Query;
  let plan = "";
  const explaining: Query = function (given) {
    if (given.name !== "webhooks-record") return original.call(this, given);
    const explain = async (): Promise<void> => {
      const { rows } = await this.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${given.text}`, values: given.values });
      plan = JSON.stringify(rows);
      given.callback(null, { rows });
    };
    return explain();
  };
  Object.assign(Client.prototype, { query: explaining });
  try {
    await work();
  } finally {
    Object.assign(Client.prototype, { query: original });
  }
  expect(plan).toContain("webhook_deliveries_pkey");
  return [...plan.matchAll(/"Rows Removed by Filter":([\d.]+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("what was leased is found by its key when its attempt is recorded, however long the queue is", async () => {
  const context = await createContext();
  const key = await openWebhook(context, { url: URL });
  await pool().query("ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)");
  await run(createOperation("accounts"), context, NEEDED.accounts);
  await pool().query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
     SELECT organization_id, webhook_id, gen_random_uuid(), event_tx, type, created_at, now() FROM webhook_deliveries, generate_series(1, ${COPIES})`,
  );
  await pool().query("UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 minute' WHERE event_id IN (SELECT id FROM events)");
  const { deliveries } = await claimDue(key, { underWay: [], limit: 1, mostBytes: 0 });
  const attempt: Attempt = { attemptedAt: new Date(), latencyMs: 1, status: 204, error: null, headers: {}, body: "", retryAfterMs: 0 };
  const ended = deliveries.map(({ eventId, tries, leasedUntil }) => ({ eventId, url: URL, tries, leasedUntil, attempt }));
  expect(ended).toHaveLength(1);
  expect(await rowsReadInVain(() => recordAttempts(key, ended))).toBe(0);
});
