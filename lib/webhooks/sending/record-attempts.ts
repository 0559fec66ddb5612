import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { updateHealth } from "@/lib/webhooks/sending/endpoint-health";
import type { Attempt } from "@/lib/webhooks/sending/send";

/** What became of a delivery that was due. */
export interface AttemptedDelivery {
  eventId: string;
  /** Where it was sent. */
  url: string;
  tries: number;
  /** What `next_attempt_at` is while nobody has queued it anew. */
  leasedUntil: Date;
  attempt: Attempt;
}

/**
 * A success counts whatever happened meanwhile. A failure must not undo what is newer: another attempt's success, or
 * that the delivery was queued anew.
 */
const IS_CURRENT =
  "(attempted.error IS NULL OR (known.state = 'pending' AND known.tries = attempted.tries AND " +
  "known.next_attempt_at = attempted.leased_until))";

/**
 * Without sorting, only the key gives RECORD its rows in their order. Else, as statistics say that a queue is empty,
 * the index of what is due may be taken, in which what is leased stands behind the whole queue.
 */
const BY_KEY = "SET LOCAL enable_sort = off";

/**
 * $3: what became of the attempts. Each row is held before it is judged, and what is gone by then falls through the
 * join. It is found by its key, for certain: in a queue statistics are out of date, and an UPDATE with a join is
 * planned by them, whereas ON CONFLICT goes by the primary key.
 */
const RECORD = `
  WITH attempted AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS a (event_id uuid, attempted_at timestamptz, url text, latency_ms int, status int, error text,
      headers jsonb, body text, tries int, leased_until timestamptz, state webhook_delivery_state, next_attempt_at timestamptz)
  ), counted AS (
    INSERT INTO webhook_deliveries AS d (organization_id, webhook_id, event_id, event_tx, type, created_at, state, tries, next_attempt_at)
    SELECT $1, $2, event_id, known.event_tx, known.type, known.created_at,
      CASE WHEN ${IS_CURRENT} THEN attempted.state ELSE known.state END,
      CASE WHEN ${IS_CURRENT} THEN known.tries + 1 ELSE known.tries END,
      CASE WHEN ${IS_CURRENT} THEN attempted.next_attempt_at ELSE known.next_attempt_at END
    FROM attempted CROSS JOIN LATERAL (
      SELECT event_tx, type, created_at, state, tries, next_attempt_at FROM webhook_deliveries k
      WHERE k.organization_id = $1 AND k.webhook_id = $2 AND k.event_id BETWEEN attempted.event_id AND attempted.event_id
      ORDER BY k.event_id LIMIT 1 FOR UPDATE
    ) AS known
    ON CONFLICT (organization_id, webhook_id, event_id) DO UPDATE
      SET attempts = d.attempts + 1, tries = excluded.tries, state = excluded.state, next_attempt_at = excluded.next_attempt_at
    RETURNING d.event_id, d.attempts
  )
  INSERT INTO webhook_attempts
    (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, status, error, response_headers, response_body)
  SELECT $1, $2, event_id, counted.attempts, attempted_at, url, latency_ms, status, error, headers, body FROM counted JOIN attempted a USING (event_id)`;

/**
 * Records what became of deliveries: attempts, when to try again, how the webhook does. An endpoint that says it is
 * gone, or has failed for five days, is switched off.
 */
export async function recordAttempts(
  { organizationId, webhookId }: WebhookKey,
  attempted: readonly AttemptedDelivery[],
): Promise<void> {
  const record = () =>
    transaction(async (client) => {
      // Held in one order by all who hold several, so that nobody waits in a circle.
      const rows = attempted.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)).map(rowOf);
      await client.query(BY_KEY);
      await client.query({
        name: "webhooks-record",
        text: RECORD,
        values: [organizationId, webhookId, JSON.stringify(rows)],
      });
      for (const url of new Set(rows.map((row) => row.url))) {
        const there = rows.filter((row) => row.url === url);
        await updateHealth(client, { organizationId, webhookId }, url, there);
      }
    });
  // A flight goes on by itself, whichever request or job it was begun in.
  await inOrganization(organizationId, record);
}

function rowOf({ eventId, url, tries, leasedUntil, attempt }: AttemptedDelivery) {
  const { attemptedAt, latencyMs, status, error, headers, body, retryAfterMs } = attempt;
  const again = error === null || status === 410 ? null : nextAttemptAt(tries + 1, new Date(), retryAfterMs);
  const state = error === null ? "delivered" : again === null ? "failed" : "pending";
  const outcome = { attempted_at: attemptedAt, url, latency_ms: latencyMs, status, error, headers, body };
  return { event_id: eventId, tries, leased_until: leasedUntil, ...outcome, state, next_attempt_at: again };
}

/** A fifth more or less, so that what failed together is not tried again together. */
const JITTER = 0.2;

/** What a receiver may ask for with `Retry-After`, at most. */
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/**
 * When to try again after `tries` attempts of a round, or null when the round is over. A receiver that asks for more
 * patience (`retryAfterMs`) gets it, up to a day. `random` is from 0 to 1.
 */
export function nextAttemptAt(tries: number, now: Date, retryAfterMs = 0, random = Math.random()): Date | null {
  const seconds = env.WEBHOOK_RETRY_SECONDS[tries - 1];
  if (seconds === undefined) return null;
  const delay = seconds * 1000 * (1 - JITTER + 2 * JITTER * random);
  return new Date(now.getTime() + Math.round(Math.max(delay, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))));
}
