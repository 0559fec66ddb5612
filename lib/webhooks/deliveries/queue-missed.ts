import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/lib/database/db";
import { firstTransaction, LOWEST_TX } from "@/lib/event-format";
import { MIN_UUID } from "@/lib/ids";
import { enqueueDrain } from "@/lib/webhooks/sending/enqueue-drain";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

/** The most events that one statement turns into deliveries. */
const BATCH_SIZE = 5000;

/**
 * Inserts deliveries for a batch of the events that a webhook subscribes to, in the order of their key. $3, $4: the key
 * to start after. $5: the earliest time; events before the creation of the webhook do not count. An existing delivery
 * stays. A delivery gets the time of its event, so that both are purged together.
 */
const QUEUE = `
  WITH target AS MATERIALIZED (
    SELECT event_types, greatest(created_at, $5) AS since FROM webhooks WHERE organization_id = $1 AND id = $2
      AND active
  ), batch AS MATERIALIZED (
    SELECT e.tx, e.id, e.type, e.created_at FROM events e
    WHERE e.organization_id = $1 AND (e.tx, e.id) > ($3::bigint, $4::uuid)
      AND e.created_at >= (SELECT since FROM target)
      AND e.type = ANY ((SELECT event_types FROM target)::text[])
    ORDER BY e.tx, e.id LIMIT ${BATCH_SIZE}
  ), queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT $1, $2, id, tx, type, created_at, now() FROM batch
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT (SELECT count(*)::int FROM batch) AS seen, (SELECT count(*)::int FROM queued) AS queued, last.tx, last.id
  FROM (SELECT tx, id FROM batch ORDER BY tx DESC, id DESC LIMIT 1) AS last`;

interface Batch {
  seen: number;
  queued: number;
  tx: string;
  id: string;
}

/**
 * Inserts the deliveries that a webhook missed since a time because it was switched off, and enqueues their drain.
 * Returns their number. A write that began before the webhook was switched on has not seen it, so this waits a few
 * seconds for open transactions; it does not wait for longer ones.
 */
export async function queueMissed({ organizationId, webhookId }: WebhookKey, since: Date): Promise<number> {
  await waitForOpenTransactions();
  const { rows } = await pool().query<{ tx: string }>(firstTransaction("$2"), [organizationId, since]);
  let total = 0;
  // The other events of the transaction at which this starts are older than `since`.
  let after: { tx: string; id: string } | null = { tx: rows[0]?.tx ?? LOWEST_TX, id: MIN_UUID };
  while (after !== null) {
    const found: { rows: Batch[] } = await pool().query<Batch>(QUEUE, [
      organizationId,
      webhookId,
      after.tx,
      after.id,
      since,
    ]);
    const [batch] = found.rows;
    total += batch?.queued ?? 0;
    if (batch && batch.queued > 0) await enqueueDrain(organizationId, [webhookId]);
    after = batch?.seen === BATCH_SIZE ? batch : null;
  }
  return total;
}

/** The longest wait of a request: the transaction of an import's page may take minutes. */
const OPEN_TRANSACTIONS_TIMEOUT_MS = 3000;

const POLL_INTERVAL_MS = 25;

const CURRENT_TRANSACTION = "SELECT pg_current_xact_id()::text AS last";

/** $1: a transaction id. Whether that transaction and all that started to write before it have ended. */
const ENDED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS ended";

/** Waits until all transactions that are writing now have ended, for three seconds at most. */
async function waitForOpenTransactions(): Promise<void> {
  const deadline = performance.now() + OPEN_TRANSACTIONS_TIMEOUT_MS;
  const current = await pool().query<{ last: string }>(CURRENT_TRANSACTION);
  const last = current.rows[0]?.last;
  while (performance.now() < deadline) {
    const { rows } = await pool().query<{ ended: boolean }>(ENDED, [last]);
    if (rows[0]?.ended) return;
    await delay(POLL_INTERVAL_MS);
  }
}
