import { z } from "zod";

import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";
import { webhook } from "@/lib/webhooks/webhook-schema";
import { findWebhookViews } from "@/lib/webhooks/webhook-view";

export const listWebhooks = defineOperation({
  name: "list_webhooks",
  summary: "List the organization's webhooks, newest first, with how they do.",
  scopes: ["crm:read"],
  adminsOnly: true,
  input: z.strictObject(pageInput),
  output: pageOutput(webhook),
  async run({ organizationId }, { limit, cursor }) {
    return cutPage(await findWebhookViews(organizationId, cursor, limit + 1), limit, ({ id }) => id);
  },
});
