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
 * $3: events that are under way. $4: how many at most. $5: only events of this type, or null. What another process claims meanwhile is passed over. Rows are
 * found again by their place and events by LATERAL, whatever the statistics say, which in a queue are always out of date.
 */
const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT ctid AS place FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[]) AND ($5::text IS NULL OR type = $5)
    ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries SET next_attempt_at = now() + interval '${LEASE_MS} milliseconds' WHERE ctid = ANY (ARRAY(SELECT place FROM due))
    RETURNING event_tx, event_id, tries, next_attempt_at
  )
  SELECT c.event_id AS "eventId", c.tries, c.next_attempt_at AS "leasedUntil", e.body FROM claimed c LEFT JOIN LATERAL (
    SELECT ${EVENT_PAYLOAD} AS body FROM events e WHERE e.organization_id = $1 AND e.tx = c.event_tx AND e.id = c.event_id LIMIT 1
  ) AS e ON true ORDER BY c.event_id`;

interface Wanted {
  /** Where they go. To a webhook that is not switched on go test events alone. */
  target: Pick<Target, "url" | "active">;
  /** Events that are being sent. */
  underWay: readonly string[];
  limit: number;
}

interface Claimed {
  deliveries: ClaimedDelivery[];
  /** There may be more than `limit`. */
  more: boolean;
}

/** Takes the next due deliveries of a webhook, those that have waited longest, and keeps others from them. Those without an event have failed. */
export async function claimDue(key: WebhookKey, { target: { url, active }, underWay, limit }: Wanted): Promise<Claimed> {
  const { rows } = await pool().query<Omit<ClaimedDelivery, "body"> & { body: string | null }>({
    name: "webhooks-claim",
    text: CLAIM,
    values: [key.organizationId, key.webhookId, underWay, limit, active ? null : TEST_EVENT],
  });
  const deliveries = rows.flatMap(({ body, ...claimed }) => (body === null ? [] : [{ ...claimed, body }]));
  if (deliveries.length < rows.length) await failWithoutEvent(key, url, rows);
  return { deliveries, more: rows.length === limit };
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
