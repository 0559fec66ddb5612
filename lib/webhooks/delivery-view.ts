import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import type { WebhookDelivery } from "@/lib/webhooks/delivery-schema";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** A moment as the API writes it. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Of a delivery `d`: what the log lists, with the last of its attempts. */
export const DELIVERY_COLUMNS = `d.event_id, d.type AS event, d.state, ${isoText("d.created_at")} AS created_at, d.attempts,
  ${isoText("d.next_attempt_at")} AS next_attempt_at,
  (SELECT json_build_object('attempted_at', ${isoText("a.attempted_at")}, 'status', a.status, 'error', a.error, 'latency_ms', a.latency_ms)
    FROM webhook_attempts a WHERE a.organization_id = d.organization_id AND a.webhook_id = d.webhook_id AND a.event_id = d.event_id
    ORDER BY a.number DESC LIMIT 1) AS last_attempt`;

const FIND = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = $3`;

/** One delivery of a webhook that is known to exist. Throws `not_found`. */
export async function findDeliveryView({ organizationId, webhookId }: WebhookKey, eventId: string): Promise<WebhookDelivery> {
  const found = isId(eventId) ? await pool().query<WebhookDelivery>(FIND, [organizationId, webhookId, eventId]) : null;
  const [delivery] = found?.rows ?? [];
  if (!delivery) throw noSuchDelivery();
  return delivery;
}

export function noSuchDelivery(): AppError {
  return new AppError("not_found", "There is no delivery of this event to this webhook. Deliveries are kept for 30 days.");
}
