import type { ClientWebhook } from "@/lib/oauth/clients/client-schema";

/** What the signed-in person has allowed one app. */
export interface Grant {
  id: string;
  client_name: string;
  client_id: string;
  permissions: string[];
  created_at: string;
  last_allowed_at: string;
  last_used_at: string | null;
  live_tokens: number;
  webhooks: ClientWebhook[];
}
