import { z } from "zod";

import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { findWebhookView, findWebhookViews } from "@/lib/webhooks/endpoints/webhook-rows";
import { webhook } from "@/lib/webhooks/endpoints/webhook-schema";

export const getWebhook = defineOperation({
  name: "get_webhook",
  summary: "One webhook and its health.",
  scopes: ["crm:read"],
  adminsOnly: true,
  volatile: true,
  input: z.strictObject({ id: pathId("webhook") }),
  output: webhook,
  run: ({ organizationId }, { id }) => findWebhookView(organizationId, id),
});

export const listWebhooks = defineOperation({
  name: "list_webhooks",
  summary: "List the organization's webhooks and their health, newest first.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject(pageInput),
  output: pageOutput(webhook),
  async run({ organizationId }, { limit, cursor }) {
    return cutPage(await findWebhookViews(organizationId, cursor, limit + 1), limit, ({ id }) => id);
  },
});

/** A webhook that the service switched off because its endpoint answered 410 or failed for five days. */
interface DisabledWebhook {
  id: string;
  url: string;
  description: string | null;
  disabled_reason: "gone" | "failing";
}

/** One range of the primary key, of at most as many rows as an organization has webhooks. */
const LIST = `SELECT id, url, description, disabled_reason FROM webhooks
  WHERE organization_id = $1 AND NOT active AND disabled_reason IN ('gone', 'failing') ORDER BY disabled_at DESC, id`;

/** What admins see on every page until the webhook is switched on or deleted; the latest first. */
export async function listDisabledByService(organizationId: string): Promise<DisabledWebhook[]> {
  const { rows } = await inOrganization(organizationId, () =>
    pool().query<DisabledWebhook>({ name: "webhooks-switched-off", text: LIST, values: [organizationId] }),
  );
  return rows;
}
