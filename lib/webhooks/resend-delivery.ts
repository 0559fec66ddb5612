import { z } from "zod";

import { pool } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { askForDrain } from "@/lib/webhooks/ask-for-drain";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import { webhookDelivery } from "@/lib/webhooks/delivery-schema";
import { findDeliveryView, noSuchDelivery } from "@/lib/webhooks/delivery-view";
import { requireWebhook, webhookIsOff } from "@/lib/webhooks/webhook-view";

/** It begins the schedule of retries anew. Nothing but the delivery is locked: who records attempts comes to the webhook with deliveries in hand. */
const RESEND = `
  UPDATE webhook_deliveries d SET state = 'pending', tries = 0, next_attempt_at = now()
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = $3
    AND EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND (w.active OR d.type = '${TEST_EVENT}'))`;

export const resendDelivery = defineOperation({
  name: "resend_webhook_delivery",
  summary: "Send an event to a webhook once more, whatever became of it before, under the same `webhook-id`.",
  scopes: ["crm:write"],
  adminsOnly: true,
  input: z.strictObject({ id: pathId("webhook"), event_id: pathId("event") }),
  output: webhookDelivery,
  async run({ organizationId }, { id, event_id }) {
    const key = { organizationId, webhookId: id };
    await requireWebhook(organizationId, id);
    if (!isId(event_id)) throw noSuchDelivery();
    const { rowCount } = await pool().query(RESEND, [organizationId, id, event_id]);
    const delivery = await findDeliveryView(key, event_id);
    if (rowCount === 0) throw webhookIsOff("nothing is sent to it");
    await askForDrain(organizationId, [id]);
    return delivery;
  },
});
