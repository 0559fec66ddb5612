import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";
import { webhook } from "@/lib/webhooks/webhook-schema";
import { findWebhookView } from "@/lib/webhooks/webhook-view";

export const getWebhook = defineOperation({
  name: "get_webhook",
  summary: "One webhook, with how it does.",
  scopes: ["crm:read"],
  adminsOnly: true,
  volatile: true,
  input: z.strictObject({ id: pathId("webhook") }),
  output: webhook,
  run: ({ organizationId }, { id }) => findWebhookView(organizationId, id),
});
