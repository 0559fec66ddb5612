import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { TEST_EVENT } from "@/lib/event-format";
import { RESENT_DUE } from "@/lib/webhooks/sending/claim-deliveries";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { idOrNull } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { assertAppAccess } from "@/lib/webhooks/app-access";
import { webhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";
import { findDeliveryView } from "@/lib/webhooks/deliveries/read-deliveries";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { assertWebhookExists, webhookDisabled } from "@/lib/webhooks/endpoints/webhook-rows";

/**
 * Restarts the retries of a delivery. It locks the delivery and not the webhook: recording attempts locks deliveries
 * before the webhook.
 */
const RESEND = `
  UPDATE webhook_deliveries d SET state = 'pending', tries = 0, next_attempt_at = ${RESENT_DUE}
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id = $3
    AND EXISTS (SELECT FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2
      AND (w.active OR d.type = '${TEST_EVENT}'))`;

export const resendDelivery = defineOperation({
  name: "resend_webhook_delivery",
  summary: "Send an event to a webhook once more, whatever its state, under the same `webhook-id`.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  status: 202,
  input: z.strictObject({ id: pathId("webhook"), event_id: pathId("event") }),
  output: webhookDelivery,
  async run(context, { id, event_id }) {
    const { organizationId, clientId } = context;
    const key = { organizationId, webhookId: id };
    const { url } = await assertWebhookExists(organizationId, id);
    return answeringTransaction(context, async (client) => {
      await assertAppAccess(client, context);
      const { rowCount } = await client.query(RESEND, [organizationId, id, idOrNull(event_id)]);
      const delivery = await findDeliveryView(key, event_id, client);
      if (rowCount === 0) throw webhookDisabled("nothing is sent to it");
      const details = { webhook_id: id, host: hostOf(url), event_id };
      await recordAudit(client, context, "webhook.resent", { clientId, details });
      enqueueAfterCommit(client, organizationId, [id]);
      return delivery;
    });
  },
});
