import { pool } from "@/lib/db";
import { EVENT_PAYLOAD } from "@/lib/event-payload";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** A delivery whose moment has come. */
export interface DueDelivery {
  eventId: string;
  /** How many attempts of the present round there were. */
  tries: number;
  /** When it was due. */
  due: Date;
  body: string;
}

/**
 * $3: events that are under way. $4: how many at most. $5: only events of this type, or null. The joins say the order in which tables are read, since in
 * a queue statistics are always out of date.
 */
const DUE = `
  WITH due AS MATERIALIZED (
    SELECT event_tx, event_id, tries, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[]) AND ($5::text IS NULL OR type = $5)
    ORDER BY next_attempt_at LIMIT $4
  )
  SELECT due.event_id AS "eventId", due.tries, due.next_attempt_at AS due, e.body FROM due CROSS JOIN LATERAL (
    SELECT ${EVENT_PAYLOAD} AS body FROM events e WHERE e.organization_id = $1 AND e.tx = due.event_tx AND e.id = due.event_id LIMIT 1
  ) AS e ORDER BY due.next_attempt_at`;

interface Wanted {
  /** The webhook is switched on; to one that is not go test events alone. */
  active: boolean;
  /** Events that are being sent. */
  underWay: readonly string[];
  limit: number;
}

/** The next due deliveries of a webhook, those first that have waited longest. */
export async function findDue(key: WebhookKey, { active, underWay, limit }: Wanted): Promise<DueDelivery[]> {
  const { rows } = await pool().query<DueDelivery>({
    name: "webhooks-due",
    text: DUE,
    values: [key.organizationId, key.webhookId, underWay, limit, active ? null : TEST_EVENT],
  });
  return rows;
}

/** $3: events that are under way. One that was queued anew meanwhile is due, but waits for its attempt to end. */
const NEXT = `SELECT min(d.next_attempt_at) AS at, coalesce(min(d.next_attempt_at) <= now(), false) AS "isDue" FROM webhook_deliveries d
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at IS NOT NULL AND (d.next_attempt_at > now() OR d.event_id <> ALL ($3::uuid[]))
    AND EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.active)`;

interface NextDue {
  at: Date | null;
  /** By the database's clock, which says what is due. */
  isDue: boolean;
}

/** When the next delivery of a webhook is due; null when none waits, or the webhook is switched off. */
export async function findNextDue({ organizationId, webhookId }: WebhookKey, underWay: readonly string[]): Promise<NextDue> {
  const values = [organizationId, webhookId, underWay];
  const { rows } = await pool().query<NextDue>({ name: "webhooks-next-due", text: NEXT, values });
  return rows[0] ?? { at: null, isDue: false };
}
