import { z } from "zod";

import { afterCommit, prisma, transaction } from "@/lib/database/db";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { purgeDeliveriesOf } from "@/lib/webhooks/deliveries/purge-deliveries";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { lockWebhook } from "@/lib/webhooks/endpoints/webhook-rows";

/** From the commit on it cannot be read and no delivery starts. Requests in flight are not interrupted. */
export const deleteWebhook = defineOperation({
  name: "delete_webhook",
  summary: "Delete a webhook, with its deliveries. No further delivery starts; a request in flight is not interrupted.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({ id: pathId("webhook") }),
  output: z.object({ id: z.uuidv7(), deleted: z.literal(true) }),
  run(context, { id }) {
    const { organizationId, clientId } = context;
    return transaction(async (client) => {
      const { url } = await lockWebhook(client, context, id);
      await prisma().webhooks.delete({ where: { organization_id_id: { organization_id: organizationId, id } } });
      const details = { webhook_id: id, host: hostOf(url) };
      await recordAudit(client, context, "webhook.deleted", { clientId, details });
      afterCommit(client, () => purgeDeliveriesOf({ organizationId, webhookId: id }));
      return { id, deleted: true as const };
    });
  },
});
