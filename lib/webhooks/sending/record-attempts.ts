import type { PoolClient } from "pg";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";
import { recordAudit } from "@/lib/security/audit";
import { countStoredBytes } from "@/lib/storage-quota";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { RESENT } from "@/lib/webhooks/sending/claim-deliveries";
import { retryDelay } from "@/lib/webhooks/sending/retry-schedule";
import type { Attempt } from "@/lib/webhooks/sending/send";

/** A delivery that was sent, and the outcome. */
export interface AttemptedDelivery {
  eventId: string;
  /** Where it was sent. */
  url: string;
  tries: number;
  /** Its `next_attempt_at`, unless somebody has resent it meanwhile. */
  leasedUntil: Date;
  attempt: Attempt;
}

/**
 * Somebody has resent the delivery during this attempt: now that it has ended, the next one is due, even if this one
 * succeeded.
 */
const WAS_RESENT = `known.next_attempt_at = attempted.leased_until + ${RESENT}`;

/**
 * Any other success counts. A failure counts only if nothing newer happened: no success of another attempt, and nobody
 * has resent the delivery.
 */
const IS_CURRENT =
  `((${WAS_RESENT}) IS NOT TRUE AND (attempted.error IS NULL OR (known.state = 'pending' AND ` +
  "known.tries = attempted.tries AND known.next_attempt_at = attempted.leased_until)))";

/** Never at a whole second, as leases are: five milliseconds after a hundredth. */
const RETRY_AT =
  "date_bin('10 milliseconds', now() + attempted.retry_in_ms * interval '1 millisecond', 'epoch') " +
  "+ interval '5 milliseconds'";

/**
 * Without sorting, PostgreSQL reads the rows of RECORD by the primary key. Otherwise stale statistics, which call the
 * queue empty, may lead it to the index on next_attempt_at, where it would scan the whole queue before a leased row. It
 * also returns the time, because the clocks of processes may differ.
 */
const BEGIN_BY_KEY = "SELECT now() FROM set_config('enable_sort', 'off', true)";

/**
 * $3: the attempts. Each delivery is locked before its state is read; a deleted one drops out of the join. ON CONFLICT
 * finds it by the primary key, whatever the statistics say. An UPDATE with a join would be planned by them, and those
 * of a queue are out of date.
 */
const RECORD = `
  WITH attempted AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS a (
      event_id uuid, attempted_at timestamptz, url text, latency_ms int, status int, error text, headers jsonb,
      body text, tries int, leased_until timestamptz, state webhook_delivery_state, retry_in_ms bigint)
  ), counted AS (
    INSERT INTO webhook_deliveries AS d (organization_id, webhook_id, event_id, event_tx, type, created_at, state,
      tries, next_attempt_at)
    SELECT $1, $2, event_id, known.event_tx, known.type, known.created_at,
      CASE WHEN ${IS_CURRENT} THEN attempted.state ELSE known.state END,
      CASE WHEN ${IS_CURRENT} THEN known.tries + 1 ELSE known.tries END,
      CASE WHEN ${IS_CURRENT} THEN ${RETRY_AT}
        WHEN ${WAS_RESENT} THEN date_trunc('milliseconds', now()) ELSE known.next_attempt_at END
    FROM attempted CROSS JOIN LATERAL (
      SELECT event_tx, type, created_at, state, tries, next_attempt_at FROM webhook_deliveries k
      WHERE k.organization_id = $1 AND k.webhook_id = $2
        AND k.event_id BETWEEN attempted.event_id AND attempted.event_id
      ORDER BY k.event_id LIMIT 1 FOR UPDATE
    ) AS known
    ON CONFLICT (organization_id, webhook_id, event_id) DO UPDATE
      SET attempts = d.attempts + 1, tries = excluded.tries, state = excluded.state,
        next_attempt_at = excluded.next_attempt_at
    RETURNING d.event_id, d.attempts, d.next_attempt_at <= now() AS is_due
  ), logged AS (
    INSERT INTO webhook_attempts
      (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, status, error, response_headers,
        response_body)
    SELECT $1, $2, event_id, counted.attempts, attempted_at, url, latency_ms, status, error, headers, body FROM counted
      JOIN attempted a USING (event_id)
  )
  SELECT coalesce(bool_or(is_due), false) AS some_due FROM counted`;

/** The row of a delivery. It is counted with each attempt, so that no write counts its deliveries: rather too much. */
const DELIVERY_BYTES = 200;

/**
 * Records attempts, when each delivery is due next, and the health of the webhook. A webhook whose endpoint answers 410
 * or has failed for five days is switched off. Returns whether one of the deliveries is due again already.
 */
export async function recordAttempts(
  { organizationId, webhookId }: WebhookKey,
  attempted: readonly AttemptedDelivery[],
): Promise<boolean> {
  // All statements lock several deliveries in this order, so that none deadlock.
  const ordered = attempted.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const record = () =>
    transaction(async (client) => {
      const begunAt = performance.now();
      const { rows: begun } = await client.query<{ now: Date }>(BEGIN_BY_KEY);
      const zero = Number(begun[0]?.now) - begunAt;
      const rows = ordered.map((each) => rowOf(each, zero));
      const text = JSON.stringify(rows);
      const statement = { name: "webhooks-record", text: RECORD, values: [organizationId, webhookId, text] };
      const { rows: recorded } = await client.query<{ some_due: boolean }>(statement);
      for (const url of new Set(rows.map((row) => row.url))) {
        const sentThere = rows.filter((row) => row.url === url);
        await updateHealth(client, { organizationId, webhookId }, url, sentThere);
      }
      return { isSomeDue: recorded[0]?.some_due === true, bytes: Buffer.byteLength(text) };
    });
  // A dispatcher outlives the request or job, and so the scope, in which it started.
  const { isSomeDue, bytes } = await inOrganization(organizationId, record);
  // Not awaited: once in ten seconds it reads the count, and the dispatcher sends the next ones meanwhile.
  void countStoredBytes(organizationId, bytes + attempted.length * DELIVERY_BYTES);
  return isSomeDue;
}

/** `zero`: when `performance.now()` was 0, by the database's clock. */
function rowOf({ eventId, url, tries, leasedUntil, attempt }: AttemptedDelivery, zero: number) {
  const { startedAt, latencyMs, status, error, headers, body, retryAfterMs } = attempt;
  const retryInMs = error === null || status === 410 ? null : retryDelay(tries + 1, retryAfterMs);
  const state = error === null ? "delivered" : retryInMs === null ? "failed" : "pending";
  const attemptedAt = new Date(zero + startedAt);
  const outcome = { attempted_at: attemptedAt, url, latency_ms: latencyMs, status, error, headers, body };
  return { event_id: eventId, tries, leased_until: leasedUntil, ...outcome, state, retry_in_ms: retryInMs };
}

/** A webhook whose endpoint has accepted nothing for so many days is switched off. */
const DISABLE_AFTER_DAYS = 5;

/**
 * But only if it fails now as well: one event has failed so many times, or has used up its retries. That takes hours.
 */
const MIN_FAILED_TRIES = 5;

/** The last known success, including the one that is being recorded. */
const LAST_DELIVERED = "greatest(last_delivered_at, $3)";

/**
 * $3: the last success or null. $4: all failures. $5: the URL that they were sent to, which may have changed since.
 * Attempts are not recorded in the order in which they are made, so `failing_since` is the first failure after the last
 * success, whichever was recorded first. Of failures recorded earlier, only the first and the last are known.
 */
const NOTE_HEALTH = `
  UPDATE webhooks SET last_delivered_at = ${LAST_DELIVERED},
    last_failed_at = greatest(last_failed_at, (SELECT max(f) FROM unnest($4::timestamptz[]) AS f)),
    failing_since = coalesce(
      least(
        CASE WHEN ${LAST_DELIVERED} IS NULL OR failing_since > ${LAST_DELIVERED} THEN failing_since END,
        (SELECT min(f) FROM unnest($4::timestamptz[]) AS f WHERE ${LAST_DELIVERED} IS NULL OR f > ${LAST_DELIVERED})
      ),
      CASE WHEN failing_since <= ${LAST_DELIVERED} AND last_failed_at > ${LAST_DELIVERED} THEN last_failed_at END
    )
  WHERE organization_id = $1 AND id = $2 AND url = $5
  RETURNING active AND failing_since < now() - interval '${DISABLE_AFTER_DAYS} days' AS exhausted`;

const SWITCH_OFF = `
  UPDATE webhooks SET active = false, disabled_at = now(), disabled_reason = $3, updated_at = now(),
    version = version + 1
  WHERE organization_id = $1 AND id = $2 AND url = $4 AND active`;

interface RecordedAttempt {
  attempted_at: Date;
  url: string;
  status: number | null;
  error: string | null;
  tries: number;
  state: string;
}

/**
 * Updates the health of a webhook by the attempts that were sent to `url`, and switches it off if they say so. Nothing
 * happens if the webhook has another URL by now.
 */
async function updateHealth(
  client: PoolClient,
  { organizationId, webhookId }: WebhookKey,
  url: string,
  rows: readonly RecordedAttempt[],
): Promise<void> {
  const key = [organizationId, webhookId];
  const moments = (failed: boolean) =>
    rows.filter(({ error }) => (error !== null) === failed).map(({ attempted_at }) => attempted_at);
  const values = [...key, latest(moments(false)), moments(true), url];
  const { rows: noted } = await client.query<{ exhausted: boolean | null }>({
    name: "webhooks-health",
    text: NOTE_HEALTH,
    values,
  });
  const isGone = rows.some(({ status }) => status === 410);
  if (!isGone && !(noted[0]?.exhausted && rows.some(hasFailedOften))) return;
  const reason = isGone ? "gone" : "failing";
  if ((await client.query(SWITCH_OFF, [...key, reason, url])).rowCount === 0) return;
  const details = { webhook_id: webhookId, host: hostOf(url), reason };
  await recordAudit(client, { organizationId, address: null }, "webhook.disabled", { details });
  log.warn({ organization_id: organizationId, webhook_id: webhookId, reason }, "webhook switched off");
}

function hasFailedOften({ tries, state }: RecordedAttempt): boolean {
  return state === "failed" || (state === "pending" && tries + 1 >= MIN_FAILED_TRIES);
}

function latest(times: readonly Date[]): Date | null {
  return times.length > 0 ? new Date(Math.max(...times.map(Number))) : null;
}
