import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { lockWebhook } from "@/lib/webhooks/lock-webhook";
import { generateSecret, sealSecret, secretInput } from "@/lib/webhooks/secret";
import { hostOf } from "@/lib/webhooks/webhook-fields";
import { webhookWithSecret } from "@/lib/webhooks/webhook-schema";
import { findWebhookView } from "@/lib/webhooks/webhook-view";

/** For so long both sign, so that the receiving side can change over in its own time. */
const OVERLAP_HOURS = 24;

/** The one before ends at once where there was yet another. An unsigned webhook has none that could sign too. */
const ROTATE = `
  UPDATE webhooks SET secret = $3, previous_secret = secret, updated_at = now(), version = version + 1,
    previous_secret_expires_at = CASE WHEN secret IS NOT NULL THEN now() + interval '${OVERLAP_HOURS} hours' END
  WHERE organization_id = $1 AND id = $2`;

export const rotateSecret = defineOperation({
  name: "rotate_webhook_secret",
  summary:
    `Give a webhook another secret. The present one signs too for ${OVERLAP_HOURS} hours; one from before it that still signs, until ` +
    "`previous_secret_expires_at`, ends at once. Without `secret` one is generated and shown this once.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({ id: pathId("webhook"), secret: secretInput.optional() }),
  output: webhookWithSecret,
  async run(context, { id, secret: given }) {
    const { organizationId, userId, clientId, address } = context;
    const generated = given === undefined ? generateSecret() : undefined;
    const sealed = sealSecret(given ?? generated ?? "");
    await transaction(async (client) => {
      const { url } = await lockWebhook(client, context, id);
      await client.query(ROTATE, [organizationId, id, sealed]);
      const details = { webhook_id: id, host: hostOf(url) };
      await recordAudit(client, { organizationId, action: "webhook.secret_rotated", address, userId, clientId, details });
    });
    return { ...(await findWebhookView(organizationId, id)), ...(generated && { secret: generated }) };
  },
});
