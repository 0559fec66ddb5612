import { z } from "zod";

import { pool } from "@/lib/db";
import { eventPayload } from "@/lib/event-payload";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { type WebhookDeliveryDetail, webhookDeliveryDetail } from "@/lib/webhooks/delivery-schema";
import { DELIVERY_COLUMNS, isoText, noSuchDelivery } from "@/lib/webhooks/delivery-view";
import { fixedHeaders } from "@/lib/webhooks/fixed-headers";
import { requireWebhook } from "@/lib/webhooks/webhook-view";

type Found = Omit<WebhookDeliveryDetail, "request"> & { url: string; body: string | null };

const ATTEMPT = `json_build_object('number', a.number, 'attempted_at', ${isoText("a.attempted_at")}, 'url', a.url, 'latency_ms', a.latency_ms, 'status', a.status,
  'error', a.error, 'response_headers', a.response_headers, 'response_body', a.response_body)`;

const FIND = `
  SELECT ${DELIVERY_COLUMNS}, w.url,
    (SELECT ${eventPayload("e")} FROM events e WHERE e.organization_id = $1 AND e.tx = d.event_tx AND e.id = d.event_id) AS body,
    coalesce((SELECT json_agg(${ATTEMPT} ORDER BY a.number DESC) FROM webhook_attempts a
      WHERE a.organization_id = $1 AND a.webhook_id = $2 AND a.event_id = $3), '[]') AS attempts_log
  FROM webhook_deliveries d JOIN webhooks w ON w.organization_id = d.organization_id AND w.id = d.webhook_id
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = $3`;

export const getDelivery = defineOperation({
  name: "get_webhook_delivery",
  summary: "One delivery: what is sent, and what became of each attempt.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject({ id: pathId("webhook"), event_id: pathId("event") }),
  output: webhookDeliveryDetail,
  async run({ organizationId }, { id, event_id }) {
    await requireWebhook(organizationId, id);
    const result = isId(event_id) ? await pool().query<Found>(FIND, [organizationId, id, event_id]) : null;
    const [found] = result?.rows ?? [];
    if (!found) throw noSuchDelivery();
    const { url, body, attempts_log, ...delivery } = found;
    const event = body === null ? null : (JSON.parse(body) as WebhookDeliveryDetail["request"]["body"]);
    return { ...delivery, request: { url, headers: fixedHeaders(event_id), body: event }, attempts_log };
  },
});
