import type { PoolClient } from "pg";
import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { lockOrganization, prisma } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { newId, timeOf } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { assertAppAccess } from "@/lib/webhooks/app-access";
import {
  hostOf,
  expandEventTypes,
  webhookDescription,
  webhookEvents,
  webhookUrl,
} from "@/lib/webhooks/endpoints/webhook-fields";
import { findWebhookView } from "@/lib/webhooks/endpoints/webhook-rows";
import { webhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";
import { generateSecret, secretInput } from "@/lib/webhooks/endpoints/webhook-secret";
import { sealSecret } from "@/lib/webhooks/sending/signing";

/** Every emitted event is matched against them. */
const MAX_WEBHOOKS = 50;

export const createWebhook = defineOperation({
  name: "create_webhook",
  summary:
    "Create a webhook. A generated secret is in this answer and is never shown again. An organization has at most " +
    `${MAX_WEBHOOKS} webhooks.`,
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  status: 201,
  input: z
    .strictObject({
      url: webhookUrl,
      events: webhookEvents,
      description: webhookDescription.default(null),
      secret: secretInput.optional(),
      generate_secret: z
        .boolean()
        .default(false)
        .describe("Let the service generate a secret, instead of sending one."),
      active: z.boolean().default(true).describe("Whether it is switched on at once."),
    })
    .refine(({ secret, generate_secret }) => secret === undefined || !generate_secret, {
      path: ["generate_secret"],
      message: "Send a secret or let one be generated, not both.",
      params: { code: "invalid_value" },
    }),
  output: webhookWithSecret,
  async run(context, { url, events, description, secret: given, generate_secret, active }) {
    const { organizationId, userId, clientId } = context;
    const id = newId();
    const generated = generate_secret ? generateSecret() : undefined;
    const secret = given ?? generated;
    const sealed = secret === undefined ? null : sealSecret({ organizationId, webhookId: id }, "secret", secret);
    return answeringTransaction(context, async (client) => {
      await assertAppAccess(client, context);
      await assertBelowLimit(client, organizationId);
      const created = timeOf(id);
      await prisma().webhooks.create({
        data: {
          organization_id: organizationId,
          id,
          created_at: created,
          updated_at: created,
          url,
          url_set_by_id: userId,
          url_client_id: clientId,
          description,
          events,
          event_types: expandEventTypes(events),
          active,
          disabled_at: active ? null : created,
          secret: sealed,
        },
      });
      const details = { webhook_id: id, host: hostOf(url), events };
      await recordAudit(client, context, "webhook.created", { clientId, details });
      return { ...(await findWebhookView(organizationId, id, client)), ...(generated && { secret: generated }) };
    });
  },
});

/** The lock makes two requests at once count one after the other. */
async function assertBelowLimit(client: PoolClient, organizationId: string): Promise<void> {
  await lockOrganization(client, organizationId);
  if ((await prisma().webhooks.count({ where: { organization_id: organizationId } })) < MAX_WEBHOOKS) return;
  throw new AppError(
    "conflict",
    `An organization has at most ${MAX_WEBHOOKS} webhooks. Delete one that is no longer needed, then create this one.`,
  );
}
