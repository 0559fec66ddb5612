import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { log } from "@/lib/log";
import { inOrganization } from "@/lib/organization-scope";
import { nextAttemptAt } from "@/lib/webhooks/retry-schedule";
import type { Attempt } from "@/lib/webhooks/send";
import { hostOf } from "@/lib/webhooks/webhook-fields";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** An endpoint that nothing has reached for so long is switched off. */
const PATIENCE_DAYS = 5;
/** But only when it fails now as well: an event has been tried so often in vain, or as often as there are tries. By then hours have passed. */
const TRIES_IN_VAIN = 5;

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

/** A success counts whatever happened meanwhile. A failure must not undo what is newer: another attempt's success, or that the delivery was queued anew. */
const COUNTS =
  "(attempted.error IS NULL OR (known.state = 'pending' AND known.tries = attempted.tries AND known.next_attempt_at = attempted.leased_until))";

/**
 * Without sorting, only the key gives RECORD its rows in their order. Else, as statistics say that a queue is empty, the index of what is due may be taken, in
 * which what is leased stands behind the whole queue.
 */
const BY_KEY = "SET LOCAL enable_sort = off";

/**
 * $3: what became of the attempts. Each row is held before it is judged, and what is gone by then falls through the join. It is found by its key, for
 * certain: in a queue statistics are out of date, and an UPDATE with a join is planned by them, whereas ON CONFLICT goes by the primary key.
 */
const RECORD = `
  WITH attempted AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS a (event_id uuid, attempted_at timestamptz, url text, latency_ms int, status int, error text,
      headers jsonb, body text, tries int, leased_until timestamptz, state webhook_delivery_state, next_attempt_at timestamptz)
  ), counted AS (
    INSERT INTO webhook_deliveries AS d (organization_id, webhook_id, event_id, event_tx, type, created_at, state, tries, next_attempt_at)
    SELECT $1, $2, event_id, known.event_tx, known.type, known.created_at,
      CASE WHEN ${COUNTS} THEN attempted.state ELSE known.state END,
      CASE WHEN ${COUNTS} THEN known.tries + 1 ELSE known.tries END,
      CASE WHEN ${COUNTS} THEN attempted.next_attempt_at ELSE known.next_attempt_at END
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

/** The last success that is known, with the one that is being recorded. */
const ARRIVED = "greatest(last_delivered_at, $3)";

/**
 * $3: the last success or null, $4: all failures, $5: where they were sent, which may be the address no more. Attempts are recorded in another order
 * than they are made in: it fails since the first failure behind the last success, whichever of them came to be known first. Of failures that an
 * earlier statement has recorded, only the first and the last are known.
 */
const NOTE_HEALTH = `
  UPDATE webhooks SET last_delivered_at = ${ARRIVED},
    last_failed_at = greatest(last_failed_at, (SELECT max(f) FROM unnest($4::timestamptz[]) AS f)),
    failing_since = coalesce(
      least(
        CASE WHEN ${ARRIVED} IS NULL OR failing_since > ${ARRIVED} THEN failing_since END,
        (SELECT min(f) FROM unnest($4::timestamptz[]) AS f WHERE ${ARRIVED} IS NULL OR f > ${ARRIVED})
      ),
      CASE WHEN failing_since <= ${ARRIVED} AND last_failed_at > ${ARRIVED} THEN last_failed_at END
    )
  WHERE organization_id = $1 AND id = $2 AND url = $5
  RETURNING active AND failing_since < now() - interval '${PATIENCE_DAYS} days' AS exhausted`;

const SWITCH_OFF = `
  UPDATE webhooks SET active = false, disabled_at = now(), disabled_reason = $3, updated_at = now(), version = version + 1
  WHERE organization_id = $1 AND id = $2 AND url = $4 AND active`;

/** Records what became of deliveries: attempts, when to try again, how the webhook does. An endpoint that says it is gone, or has failed for five days, is switched off. */
export async function recordAttempts({ organizationId, webhookId }: WebhookKey, attempted: readonly AttemptedDelivery[]): Promise<void> {
  const record = () =>
    transaction(async (client) => {
      // Held in one order by all who hold several, so that nobody waits in a circle.
      const rows = attempted.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)).map(rowOf);
      await client.query(BY_KEY);
      await client.query({ name: "webhooks-record", text: RECORD, values: [organizationId, webhookId, JSON.stringify(rows)] });
      for (const url of new Set(rows.map((row) => row.url))) {
        const there = rows.filter((row) => row.url === url);
        await noteHealth(client, { organizationId, webhookId }, url, there);
      }
    });
  // A flight goes on by itself, whichever request or job it was begun in.
  await inOrganization(organizationId, record);
}

type Row = ReturnType<typeof rowOf>;

/** What an address did says nothing of the one that the webhook has got since. */
async function noteHealth(client: PoolClient, { organizationId, webhookId }: WebhookKey, url: string, rows: readonly Row[]): Promise<void> {
  const key = [organizationId, webhookId];
  const moments = (failed: boolean) => rows.filter(({ error }) => (error !== null) === failed).map(({ attempted_at }) => attempted_at);
  const values = [...key, latest(moments(false)), moments(true), url];
  const { rows: noted } = await client.query<{ exhausted: boolean | null }>({ name: "webhooks-health", text: NOTE_HEALTH, values });
  const isGone = rows.some(({ status }) => status === 410);
  if (!isGone && !(noted[0]?.exhausted && rows.some(isInVain))) return;
  const reason = isGone ? "gone" : "failing";
  if ((await client.query(SWITCH_OFF, [...key, reason, url])).rowCount === 0) return;
  const details = { webhook_id: webhookId, host: hostOf(url), reason };
  await recordAudit(client, { organizationId, action: "webhook.disabled", address: null, details });
  log.warn({ organization_id: organizationId, webhook_id: webhookId, reason }, "webhook switched off");
}

function isInVain({ tries, state }: Row): boolean {
  return state === "failed" || (state === "pending" && tries + 1 >= TRIES_IN_VAIN);
}

function rowOf({ eventId, url, tries, leasedUntil, attempt }: AttemptedDelivery) {
  const { attemptedAt, latencyMs, status, error, headers, body, retryAfterMs } = attempt;
  const again = error === null || status === 410 ? null : nextAttemptAt(tries + 1, new Date(), retryAfterMs);
  const state = error === null ? "delivered" : again === null ? "failed" : "pending";
  const outcome = { attempted_at: attemptedAt, url, latency_ms: latencyMs, status, error, headers, body };
  return { event_id: eventId, tries, leased_until: leasedUntil, ...outcome, state, next_attempt_at: again };
}

function latest(times: readonly Date[]): Date | null {
  return times.length > 0 ? new Date(Math.max(...times.map(Number))) : null;
}
