import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { TEST_EVENT, eventPayload } from "@/lib/event-format";
import { log } from "@/lib/log";
import { EVENT_GONE } from "@/lib/webhooks/deliveries/limits";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";
import { openTarget, type SealedTarget, type Target } from "@/lib/webhooks/sending/signing";

/**
 * How long a claimed delivery is leased at most: longer than an attempt takes, by five to six seconds. After a process
 * dies, its deliveries are due again when their lease ends.
 */
const LEASE_MS = TIMEOUT_MS + 6000;

/** A lease ends at a whole second, by which it is told from a retry that waits (RETRY_AT in record-attempts.ts). */
const LEASE_END = `date_trunc('second', now()) + interval '${LEASE_MS} milliseconds'`;

/** How much later a lease ends when its delivery is resent, which tells that the attempt is older. */
export const RESENT = "interval '1 millisecond'";

/**
 * When a delivery `d` that somebody resends is due: at once, but one in flight after its lease, lest another process
 * send it at the same time; what records its attempt makes it due.
 */
export const RESENT_DUE = `CASE
  WHEN d.state = 'pending' AND d.next_attempt_at <= date_trunc('second', d.next_attempt_at) + ${RESENT}
    AND d.next_attempt_at BETWEEN now() AND clock_timestamp() + interval '${LEASE_MS} milliseconds'
  THEN date_trunc('second', d.next_attempt_at) + ${RESENT} ELSE now() END`;

/** A due delivery that this process has leased. */
export interface ClaimedDelivery {
  eventId: string;
  /** Attempts so far, in this round of retries. */
  tries: number;
  /** Its `next_attempt_at` while the lease lasts. */
  leasedUntil: Date;
  body: string;
  /** The length of the body in UTF-8. */
  bytes: number;
}

/**
 * $3: events in flight. $4: the most deliveries. $5: the most bytes of bodies, though one delivery always fits. A
 * webhook that is switched off gets test events alone, a deleted one nothing. Rows that another process claims are
 * skipped.
 *
 * The statistics of a queue are always out of date, so the plan must not depend on them: rows are found again by their
 * ctid, events by LATERAL. The ctid is joined. As a list of ctids the planner preferred the index of the organization's
 * rows, which row-level security allows, and read the whole queue for each claim.
 */
const CLAIM = `
  WITH webhook AS MATERIALIZED (
    SELECT url, active, secret, CASE WHEN previous_secret_expires_at > now() THEN previous_secret END AS previous_secret
    FROM webhooks WHERE organization_id = $1 AND id = $2
  ), due AS MATERIALIZED (
    SELECT ctid AS row_ctid, event_tx, event_id, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[])
      AND EXISTS (SELECT FROM webhook) AND ((SELECT active FROM webhook) OR type = '${TEST_EVENT}')
    ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
  ), written AS MATERIALIZED (
    SELECT d.row_ctid, d.event_id, e.body, octet_length(e.body) AS bytes,
      row_number() OVER waiting AS position, sum(octet_length(e.body)) OVER waiting AS bytes_so_far
    FROM due d LEFT JOIN LATERAL (
      SELECT ${eventPayload("e")} AS body FROM events e WHERE e.organization_id = $1 AND e.tx = d.event_tx
        AND e.id = d.event_id LIMIT 1
    ) AS e ON true
    WINDOW waiting AS (ORDER BY d.next_attempt_at, d.event_id ROWS UNBOUNDED PRECEDING)
  ), fitting AS MATERIALIZED (
    SELECT row_ctid, event_id, body, bytes FROM written WHERE position = 1 OR bytes_so_far IS NULL OR bytes_so_far <= $5
  ), claimed AS (
    UPDATE webhook_deliveries d SET next_attempt_at = ${LEASE_END} FROM fitting f
      WHERE d.ctid = f.row_ctid
    RETURNING d.event_id, d.tries, d.next_attempt_at
  )
  SELECT c.event_id AS "eventId", c.tries, c.next_attempt_at AS "leasedUntil", f.body, f.bytes,
    (SELECT count(*)::int FROM due) AS found,
    w.url, w.secret, w.previous_secret
  FROM claimed c JOIN fitting f USING (event_id) CROSS JOIN webhook w ORDER BY c.event_id`;

type Row = SealedTarget & { eventId: string; tries: number; leasedUntil: Date; found: number } & (
    | { body: string; bytes: number }
    | { body: null; bytes: null }
  );

interface ClaimLimits {
  /** Ids of the events in flight. */
  inFlight: readonly string[];
  /** The most deliveries. */
  limit: number;
  /** The most bytes of their bodies together, though one delivery always fits. */
  maxBytes: number;
}

interface Claim {
  /** The endpoint and the secrets that sign. Undefined when nothing was due. */
  target: Target | undefined;
  deliveries: ClaimedDelivery[];
  /** Whether more may be due. */
  more: boolean;
}

/** Leases the due deliveries of a webhook, those first that have waited longest. A delivery without its event fails. */
export async function claimDue(key: WebhookKey, { inFlight, limit, maxBytes }: ClaimLimits): Promise<Claim> {
  const values = [key.organizationId, key.webhookId, inFlight, limit, maxBytes];
  const claim = () => pool().query<Row>({ name: "webhooks-claim", text: CLAIM, values });
  const { rows } = await inOrganization(key.organizationId, claim);
  const [first] = rows;
  if (!first) return { target: undefined, deliveries: [], more: false };
  const deliveries = rows.flatMap(({ eventId, tries, leasedUntil, body, bytes }) =>
    body === null ? [] : [{ eventId, tries, leasedUntil, body, bytes }],
  );
  const withoutEvent = rows.filter(({ body }) => body === null).map(({ eventId }) => eventId);
  if (withoutEvent.length > 0) await failWithoutEvent(key, first.url, withoutEvent);
  return { target: openTarget(key, first), deliveries, more: first.found === limit || rows.length < first.found };
}

/** $3: events that this process has in flight; their outcome sets their next attempt. */
const NEXT = `SELECT min(d.next_attempt_at) AS at FROM webhook_deliveries d
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at > now() AND d.event_id <> ALL ($3::uuid[])
    AND (d.type = '${TEST_EVENT}'
      OR EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.active))`;

/** When the next delivery of a webhook becomes due, except for `inFlight`; null for none. Due ones do not count. */
export async function findNextDue(
  { organizationId, webhookId }: WebhookKey,
  inFlight: readonly string[],
): Promise<Date | null> {
  const values = [organizationId, webhookId, inFlight];
  const find = () => pool().query<{ at: Date | null }>({ name: "webhooks-next-due", text: NEXT, values });
  const { rows } = await inOrganization(organizationId, find);
  return rows[0]?.at ?? null;
}

/**
 * $3: events whose deliveries this process has leased; locked in the order in which all statements lock several. $4:
 * the endpoint's URL. $5: why they failed.
 */
const FAIL = `
  WITH locked AS MATERIALIZED (
    SELECT d.ctid AS row_ctid FROM webhook_deliveries d
    WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = ANY ($3::uuid[]) ORDER BY d.event_id FOR UPDATE
  ), failed AS (
    UPDATE webhook_deliveries d
      SET state = 'failed', next_attempt_at = NULL, tries = d.tries + 1, attempts = d.attempts + 1
    FROM locked WHERE d.ctid = locked.row_ctid RETURNING d.event_id, d.attempts
  )
  INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, error)
  SELECT $1, $2, event_id, attempts, now(), $4, 0, $5 FROM failed`;

/**
 * Fails deliveries whose event no longer exists; otherwise they would stay due for ever. It never throws: the
 * deliveries claimed with them must go on, and what it could not record is claimed again.
 */
async function failWithoutEvent(
  { organizationId, webhookId }: WebhookKey,
  url: string,
  eventIds: readonly string[],
): Promise<void> {
  const names = { organization_id: organizationId, webhook_id: webhookId, count: eventIds.length };
  try {
    await inOrganization(organizationId, () =>
      pool().query(FAIL, [organizationId, webhookId, eventIds, url, EVENT_GONE]),
    );
    log.warn(names, "webhook deliveries had no event");
  } catch (error) {
    log.error({ err: error, ...names }, "could not record that webhook deliveries have no event");
  }
}
