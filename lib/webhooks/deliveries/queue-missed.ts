import { setTimeout as delay } from "node:timers/promises";

import { MIN_UUID } from "@/lib/ids";
import { pool } from "@/lib/database/db";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { enqueueDrain } from "@/lib/webhooks/sending/enqueue-drain";

/** How many events become deliveries in one statement. */
const BATCH_SIZE = 5000;

/**
 * Events of one transaction are written at once; nothing that began later than this before a moment is told after it.
 */
const MAX_TRANSACTION_DURATION = "1 hour";

const BEGINNING = `
  SELECT e.tx FROM events e WHERE e.organization_id = $1 AND e.created_at < $2::timestamptz - interval '${MAX_TRANSACTION_DURATION}'
  ORDER BY e.created_at DESC LIMIT 1`;

/**
 * One stretch of the events that a webhook subscribes to, in the order of their key; $3 and $4: behind this one, $5:
 * since. What has a delivery keeps it. What happened before there was the webhook it has not missed. A delivery takes
 * its event's moment, so that it is forgotten with it.
 */
const QUEUE = `
  WITH target AS MATERIALIZED (
    SELECT event_types, greatest(created_at, $5) AS since FROM webhooks WHERE organization_id = $1 AND id = $2 AND active
  ), stretch AS MATERIALIZED (
    SELECT e.tx, e.id, e.type, e.created_at FROM events e
    WHERE e.organization_id = $1 AND (e.tx, e.id) > ($3::bigint, $4::uuid) AND e.created_at >= (SELECT since FROM target)
      AND e.type = ANY ((SELECT event_types FROM target)::text[])
    ORDER BY e.tx, e.id LIMIT ${BATCH_SIZE}
  ), queued AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
    SELECT $1, $2, id, tx, type, created_at, now() FROM stretch
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT (SELECT count(*)::int FROM stretch) AS seen, (SELECT count(*)::int FROM queued) AS queued, last.tx, last.id
  FROM (SELECT tx, id FROM stretch ORDER BY tx DESC, id DESC LIMIT 1) AS last`;

interface Batch {
  seen: number;
  queued: number;
  tx: string;
  id: string;
}

/**
 * Makes the deliveries that were never made because a webhook was switched off, from the events since a moment, and has
 * them sent. Gives how many these are. A write that began before the webhook was switched on has not seen it, and its
 * events are seen when it commits: what takes seconds is not waited for.
 */
export async function queueMissed({ organizationId, webhookId }: WebhookKey, since: Date): Promise<number> {
  await waitForOpenTransactions();
  const { rows } = await pool().query<{ tx: string }>(BEGINNING, [organizationId, since]);
  let total = 0;
  // Whatever else stands in the transaction at which this begins is older than `since`.
  let behind: { tx: string; id: string } | null = { tx: rows[0]?.tx ?? "0", id: MIN_UUID };
  while (behind !== null) {
    const found: { rows: Batch[] } = await pool().query<Batch>(QUEUE, [
      organizationId,
      webhookId,
      behind.tx,
      behind.id,
      since,
    ]);
    const [stretch] = found.rows;
    total += stretch?.queued ?? 0;
    if (stretch && stretch.queued > 0) await enqueueDrain(organizationId, [webhookId]);
    behind = stretch?.seen === BATCH_SIZE ? stretch : null;
  }
  return total;
}

/** For longer no request waits for others: an import's page may take minutes. */
const OPEN_TRANSACTIONS_TIMEOUT_MS = 3000;

const POLL_INTERVAL_MS = 25;

const BEGUN = "SELECT pg_current_xact_id()::text AS last";

/** $1: a transaction. Whether it and all that began to write before it have ended. */
const ENDED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS ended";

/** Waits until what is being written at this moment is there to be seen or undone, for three seconds at most. */
async function waitForOpenTransactions(): Promise<void> {
  const until = Date.now() + OPEN_TRANSACTIONS_TIMEOUT_MS;
  const begun = await pool().query<{ last: string }>(BEGUN);
  const last = begun.rows[0]?.last;
  while (Date.now() < until) {
    const { rows } = await pool().query<{ ended: boolean }>(ENDED, [last]);
    if (rows[0]?.ended) return;
    await delay(POLL_INTERVAL_MS);
  }
}
