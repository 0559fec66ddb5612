import { pool } from "@/lib/db";
import { EVENT_PAYLOAD } from "@/lib/event-payload";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import { failWithoutEvent } from "@/lib/webhooks/fail-without-event";
import type { Target } from "@/lib/webhooks/find-target";
import { TIMEOUT_MS } from "@/lib/webhooks/send";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** For how long nobody else takes what was claimed: longer than an attempt takes. What a process leaves that dies is due again then. */
const LEASE_MS = TIMEOUT_MS + 5000;

/** A delivery whose moment has come, and that is ours to send. */
export interface ClaimedDelivery {
  eventId: string;
  /** How many attempts of the present round there were. */
  tries: number;
  /** Its `next_attempt_at` while it is ours. */
  leasedUntil: Date;
  body: string;
}

/**
 * $3: events that are under way. $4: how many at most. $5: only events of this type, or null. $6: how many bytes of bodies at most, though one delivery
 * always. What another process claims meanwhile is passed over. Rows are found again by their place and events by LATERAL, whatever the statistics say,
 * which in a queue are always out of date.
 */
const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT ctid AS place, event_tx, event_id, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[]) AND ($5::text IS NULL OR type = $5)
    ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
  ), written AS MATERIALIZED (
    SELECT d.place, d.event_id, e.body, row_number() OVER waiting AS place_in_queue, sum(octet_length(e.body)) OVER waiting AS bytes
    FROM due d LEFT JOIN LATERAL (
      SELECT ${EVENT_PAYLOAD} AS body FROM events e WHERE e.organization_id = $1 AND e.tx = d.event_tx AND e.id = d.event_id LIMIT 1
    ) AS e ON true
    WINDOW waiting AS (ORDER BY d.next_attempt_at, d.event_id ROWS UNBOUNDED PRECEDING)
  ), fitting AS MATERIALIZED (
    SELECT place, event_id, body FROM written WHERE place_in_queue = 1 OR bytes IS NULL OR bytes <= $6
  ), claimed AS (
    UPDATE webhook_deliveries SET next_attempt_at = now() + interval '${LEASE_MS} milliseconds' WHERE ctid = ANY (ARRAY(SELECT place FROM fitting))
    RETURNING event_id, tries, next_attempt_at
  )
  SELECT c.event_id AS "eventId", c.tries, c.next_attempt_at AS "leasedUntil", f.body, (SELECT count(*)::int FROM due) AS found
  FROM claimed c JOIN fitting f USING (event_id) ORDER BY c.event_id`;

interface Wanted {
  /** Where they go. To a webhook that is not switched on go test events alone. */
  target: Pick<Target, "url" | "active">;
  /** Events that are being sent. */
  underWay: readonly string[];
  /** How many at most. */
  limit: number;
  /** Of their bodies together, though one is always claimed. */
  mostBytes: number;
}

interface Claimed {
  deliveries: ClaimedDelivery[];
  /** There may be more than there was room for. */
  more: boolean;
}

/** Takes the next due deliveries of a webhook, those that have waited longest, and keeps others from them. Those without an event have failed. */
export async function claimDue(key: WebhookKey, { target: { url, active }, underWay, limit, mostBytes }: Wanted): Promise<Claimed> {
  const { rows } = await pool().query<Omit<ClaimedDelivery, "body"> & { body: string | null; found: number }>({
    name: "webhooks-claim",
    text: CLAIM,
    values: [key.organizationId, key.webhookId, underWay, limit, active ? null : TEST_EVENT, mostBytes],
  });
  const deliveries = rows.flatMap(({ body, ...claimed }) => (body === null ? [] : [{ ...claimed, body }]));
  if (deliveries.length < rows.length) await failWithoutEvent(key, url, rows);
  const found = rows[0]?.found ?? 0;
  return { deliveries, more: found === limit || rows.length < found };
}

/** $3: events that are under way here, which come to an end by themselves. */
const NEXT = `SELECT min(d.next_attempt_at) AS at FROM webhook_deliveries d
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at > now() AND d.event_id <> ALL ($3::uuid[])
    AND (d.type = '${TEST_EVENT}' OR EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.active))`;

/** When a delivery of a webhook becomes due next, other than those in `underWay`; null when none will. What is due already does not count. */
export async function findNextDue({ organizationId, webhookId }: WebhookKey, underWay: readonly string[]): Promise<Date | null> {
  const values = [organizationId, webhookId, underWay];
  const { rows } = await pool().query<{ at: Date | null }>({ name: "webhooks-next-due", text: NEXT, values });
  return rows[0]?.at ?? null;
}
