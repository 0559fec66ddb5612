import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { lockWebhook } from "@/lib/webhooks/lock-webhook";
import { generateSecret, openSecret, sealSecret, secretInput } from "@/lib/webhooks/secret";
import { hostOf } from "@/lib/webhooks/webhook-fields";
import { webhookWithSecret } from "@/lib/webhooks/webhook-schema";
import { findWebhookView } from "@/lib/webhooks/webhook-view";

/** For so long both sign, so that the receiving side can change over in its own time. */
const OVERLAP_HOURS = 24;

/** The one before ends at once where there was yet another. An unsigned webhook has none that could sign too, nor has one whose secret cannot be read. */
const ROTATE = `
  UPDATE webhooks SET secret = $3, previous_secret = $4, updated_at = now(), version = version + 1,
    previous_secret_expires_at = CASE WHEN $4::bytea IS NOT NULL THEN now() + interval '${OVERLAP_HOURS} hours' END
  WHERE organization_id = $1 AND id = $2`;

export const rotateSecret = defineOperation({
  name: "rotate_webhook_secret",
  summary:
    `Give a webhook another secret. The current one signs too for ${OVERLAP_HOURS} hours; one from before it that still signs, until ` +
    "`previous_secret_expires_at`, ends at once. Without `secret` one is generated and shown this once.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({ id: pathId("webhook"), secret: secretInput.optional() }),
  output: webhookWithSecret,
  async run(context, { id, secret: given }) {
    const { organizationId, userId, clientId, address } = context;
    const generated = given === undefined ? generateSecret() : undefined;
    const key = { organizationId, webhookId: id };
    const sealed = sealSecret(key, "secret", given ?? generated ?? "");
    await transaction(async (client) => {
      const { url, secret } = await lockWebhook(client, context, id);
      const present = secret && openSecret(key, "secret", secret);
      await client.query(ROTATE, [organizationId, id, sealed, present && sealSecret(key, "previous_secret", present)]);
      const details = { webhook_id: id, host: hostOf(url) };
      await recordAudit(client, { organizationId, action: "webhook.secret_rotated", address, userId, clientId, details });
    });
    return { ...(await findWebhookView(organizationId, id)), ...(generated && { secret: generated }) };
  },
});
