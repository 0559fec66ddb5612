import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { eventPayload } from "@/lib/event-format";
import { log } from "@/lib/log";
import { EVENT_GONE } from "@/lib/webhooks/deliveries/delivery-schema";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { TEST_EVENT } from "@/lib/webhooks/event-types";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";
import { openTarget, type SealedTarget, type Target } from "@/lib/webhooks/sending/signing";

/**
 * For how long nobody else takes what was claimed: longer than an attempt takes. What a process leaves that dies is due
 * again then.
 */
const LEASE_MS = TIMEOUT_MS + 5000;

/** A delivery whose moment has come, and that is ours to send. */
export interface ClaimedDelivery {
  eventId: string;
  /** How many attempts of the present round there were. */
  tries: number;
  /** Its `next_attempt_at` while it is ours. */
  leasedUntil: Date;
  body: string;
  /** Of the body, in UTF-8. */
  bytes: number;
}

/**
 * $3: events that are under way. $4: how many at most. $5: how many bytes of bodies at most, though one delivery
 * always. To a webhook that is switched off go test events alone, and to one that is gone nothing. What another process
 * claims meanwhile is passed over. Rows are found again by their place and events by LATERAL, whatever the statistics
 * say, which in a queue are always out of date. The place is joined: as a list of places it looked dearer than the
 * index of the organization's rows, by which row-level security can find them, and the whole queue was read for each
 * claim.
 */
const CLAIM = `
  WITH webhook AS MATERIALIZED (
    SELECT url, active, secret, CASE WHEN previous_secret_expires_at > now() THEN previous_secret END AS previous_secret
    FROM webhooks WHERE organization_id = $1 AND id = $2
  ), due AS MATERIALIZED (
    SELECT ctid AS place, event_tx, event_id, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[])
      AND EXISTS (SELECT FROM webhook) AND ((SELECT active FROM webhook) OR type = '${TEST_EVENT}')
    ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
  ), written AS MATERIALIZED (
    SELECT d.place, d.event_id, e.body, octet_length(e.body) AS bytes,
      row_number() OVER waiting AS place_in_queue, sum(octet_length(e.body)) OVER waiting AS bytes_so_far
    FROM due d LEFT JOIN LATERAL (
      SELECT ${eventPayload("e")} AS body FROM events e WHERE e.organization_id = $1 AND e.tx = d.event_tx AND e.id = d.event_id LIMIT 1
    ) AS e ON true
    WINDOW waiting AS (ORDER BY d.next_attempt_at, d.event_id ROWS UNBOUNDED PRECEDING)
  ), fitting AS MATERIALIZED (
    SELECT place, event_id, body, bytes FROM written WHERE place_in_queue = 1 OR bytes_so_far IS NULL OR bytes_so_far <= $5
  ), claimed AS (
    UPDATE webhook_deliveries d SET next_attempt_at = now() + interval '${LEASE_MS} milliseconds' FROM fitting f WHERE d.ctid = f.place
    RETURNING d.event_id, d.tries, d.next_attempt_at
  )
  SELECT c.event_id AS "eventId", c.tries, c.next_attempt_at AS "leasedUntil", f.body, f.bytes, (SELECT count(*)::int FROM due) AS found,
    w.url, w.secret, w.previous_secret
  FROM claimed c JOIN fitting f USING (event_id) CROSS JOIN webhook w ORDER BY c.event_id`;

type Row = SealedTarget & { eventId: string; tries: number; leasedUntil: Date; found: number } & (
    | { body: string; bytes: number }
    | { body: null; bytes: null }
  );

interface ClaimLimits {
  /** Events that are being sent. */
  underWay: readonly string[];
  /** How many at most. */
  limit: number;
  /** Of their bodies together, though one is always claimed. */
  mostBytes: number;
}

interface Claim {
  /** Where they go, and what signs them. Undefined when nothing was due. */
  target: Target | undefined;
  deliveries: ClaimedDelivery[];
  /** There may be more than there was room for. */
  more: boolean;
}

/**
 * Takes the next due deliveries of a webhook, those that have waited longest, and keeps others from them. Those without
 * an event have failed.
 */
export async function claimDue(key: WebhookKey, { underWay, limit, mostBytes }: ClaimLimits): Promise<Claim> {
  const values = [key.organizationId, key.webhookId, underWay, limit, mostBytes];
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

/** $3: events that are under way here, which come to an end by themselves. */
const NEXT = `SELECT min(d.next_attempt_at) AS at FROM webhook_deliveries d
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at > now() AND d.event_id <> ALL ($3::uuid[])
    AND (d.type = '${TEST_EVENT}' OR EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.active))`;

/**
 * When a delivery of a webhook becomes due next, other than those in `underWay`; null when none will. What is due
 * already does not count.
 */
export async function findNextDue(
  { organizationId, webhookId }: WebhookKey,
  underWay: readonly string[],
): Promise<Date | null> {
  const values = [organizationId, webhookId, underWay];
  const find = () => pool().query<{ at: Date | null }>({ name: "webhooks-next-due", text: NEXT, values });
  const { rows } = await inOrganization(organizationId, find);
  return rows[0]?.at ?? null;
}

/**
 * $3: events whose deliveries are ours; held in the order in which all hold several. $4: where they would have gone.
 * $5: why they have failed.
 */
const FAIL = `
  WITH held AS MATERIALIZED (
    SELECT d.ctid AS place FROM webhook_deliveries d
    WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = ANY ($3::uuid[]) ORDER BY d.event_id FOR UPDATE
  ), failed AS (
    UPDATE webhook_deliveries d SET state = 'failed', next_attempt_at = NULL, tries = d.tries + 1, attempts = d.attempts + 1
    FROM held WHERE d.ctid = held.place RETURNING d.event_id, d.attempts
  )
  INSERT INTO webhook_attempts (organization_id, webhook_id, event_id, number, attempted_at, url, latency_ms, error)
  SELECT $1, $2, event_id, attempts, now(), $4, 0, $5 FROM failed`;

/**
 * Has deliveries fail for good whose event is gone: due for ever, they would be looked at for ever. It never fails:
 * what it leaves is claimed again, and what was claimed with it must not wait.
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
