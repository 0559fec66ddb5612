import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { pool, prisma } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { lockWebhook, findWebhookView } from "@/lib/webhooks/endpoints/webhook-rows";
import { webhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";
import { generateSecret, secretInput } from "@/lib/webhooks/endpoints/webhook-secret";
import { openSecret, sealSecret } from "@/lib/webhooks/sending/signing";

/** How long both secrets sign, so that the receiver has time to change over. */
const OVERLAP_HOURS = 24;

export const rotateSecret = defineOperation({
  name: "rotate_webhook_secret",
  summary:
    `Give a webhook another secret. The current one also signs for ${OVERLAP_HOURS} more hours. An earlier one that ` +
    "still signs, until `previous_secret_expires_at`, ends at once. Without `secret`, one is generated and shown " +
    "only now.",
  scopes: ["crm:write"],
  adminsOnly: true,
  conditional: true,
  input: z.strictObject({ id: pathId("webhook"), secret: secretInput.optional() }),
  output: webhookWithSecret,
  async run(context, { id, secret: given }) {
    const { organizationId, clientId } = context;
    const generated = given === undefined ? generateSecret() : undefined;
    const key = { organizationId, webhookId: id };
    const sealed = sealSecret(key, "secret", given ?? generated ?? "");
    return answeringTransaction(context, async (client) => {
      const { url, secret } = await lockWebhook(client, context, id);
      // A secret before the current one ends at once. An unsigned webhook has no secret that could sign too, nor has
      // one whose secret cannot be read.
      const current = secret && openSecret(key, "secret", secret);
      const now = Date.now();
      await prisma().webhooks.update({
        where: { organization_id_id: { organization_id: organizationId, id } },
        data: {
          secret: sealed,
          previous_secret: current ? sealSecret(key, "previous_secret", current) : null,
          previous_secret_expires_at: current ? new Date(now + OVERLAP_HOURS * 3_600_000) : null,
          updated_at: new Date(now),
          version: { increment: 1 },
        },
      });
      const details = { webhook_id: id, host: hostOf(url) };
      await recordAudit(client, context, "webhook.secret_rotated", { clientId, details });
      return { ...(await findWebhookView(organizationId, id, client)), ...(generated && { secret: generated }) };
    });
  },
});

/** The purge in all organizations. The version stays, since nothing that the API shows changes. */
const PURGE = `UPDATE webhooks SET previous_secret = NULL, previous_secret_expires_at = NULL
  WHERE previous_secret_expires_at <= now()`;

/** Purges previous secrets that have expired. Returns their number. */
export async function purgeSecrets(): Promise<number> {
  return (await acrossOrganizations(() => pool().query(PURGE))).rowCount ?? 0;
}
