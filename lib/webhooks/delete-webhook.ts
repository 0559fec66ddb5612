import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { afterCommit, transaction } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { forgetDeliveries } from "@/lib/webhooks/forget-deliveries";
import { lockWebhook } from "@/lib/webhooks/lock-webhook";
import { hostOf } from "@/lib/webhooks/webhook-fields";

/** From the commit on nothing of it can be read, and no further delivery is begun; a request that is under way is not broken off. */
export const deleteWebhook = defineOperation({
  name: "delete_webhook",
  summary: "Delete a webhook, with its deliveries. No further delivery begins; a request that is under way is not broken off.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({ id: pathId("webhook") }),
  output: z.object({ id: z.uuidv7(), deleted: z.literal(true) }),
  run(context, { id }) {
    const { organizationId, userId, clientId, address } = context;
    return transaction(async (client) => {
      const { url } = await lockWebhook(client, context, id);
      await client.query("DELETE FROM webhooks WHERE organization_id = $1 AND id = $2", [organizationId, id]);
      const details = { webhook_id: id, host: hostOf(url) };
      await recordAudit(client, { organizationId, action: "webhook.deleted", address, userId, clientId, details });
      afterCommit(client, () => forgetDeliveries({ organizationId, webhookId: id }));
      return { id, deleted: true as const };
    });
  },
});
