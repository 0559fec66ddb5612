import { pool } from "@/lib/db";
import { EVENT_PAYLOAD } from "@/lib/event-payload";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** A delivery whose moment has come. */
export interface DueDelivery {
  eventId: string;
  /** How many attempts of the present round there were. */
  tries: number;
  body: string;
}

/** To a webhook that is switched off go test events alone. */
const MAY_GO = `(w.active OR d.type = '${TEST_EVENT}')`;

/** $3: events that are under way. $4: how many at most. */
const DUE = `
  SELECT d.event_id AS "eventId", d.tries, ${EVENT_PAYLOAD} AS body
  FROM webhook_deliveries d
  JOIN webhooks w ON w.organization_id = d.organization_id AND w.id = d.webhook_id
  JOIN events e ON e.organization_id = d.organization_id AND e.tx = d.event_tx AND e.id = d.event_id
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at <= now() AND d.event_id <> ALL ($3::uuid[]) AND ${MAY_GO}
  ORDER BY d.next_attempt_at LIMIT $4`;

/** The next due deliveries of a webhook, those first that have waited longest. */
export async function findDue(key: WebhookKey, underWay: readonly string[], limit: number): Promise<DueDelivery[]> {
  const { rows } = await pool().query<DueDelivery>({
    name: "webhooks-due",
    text: DUE,
    values: [key.organizationId, key.webhookId, underWay, limit],
  });
  return rows;
}

const NEXT = `SELECT min(d.next_attempt_at) AS at FROM webhook_deliveries d
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at IS NOT NULL
    AND EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.active)`;

/** When the next delivery of a webhook is due; null when none waits, or the webhook is switched off. */
export async function findNextDue({ organizationId, webhookId }: WebhookKey): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>({ name: "webhooks-next-due", text: NEXT, values: [organizationId, webhookId] });
  return rows[0]?.at ?? null;
}
