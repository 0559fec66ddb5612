import { z } from "zod";

import { clientWebhook } from "@/lib/oauth/clients/client-schema";

/** What the signed-in person has allowed one app. */
export const grant = z.object({
  id: z.string(),
  client_name: z.string(),
  client_id: z.string(),
  permissions: z.array(z.string()),
  created_at: z.string(),
  last_allowed_at: z.string(),
  last_used_at: z.string().nullable(),
  live_tokens: z.number(),
  webhooks: z.array(clientWebhook),
});
export type Grant = z.infer<typeof grant>;
