import { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { type Webhook, webhook } from "@/lib/webhooks/webhook-schema";

export const webhookPage = pageOf(webhook);
export const deletedWebhook = z.object({ id: z.string(), deleted: z.literal(true) });

/** What a webhook is called: its description, or its address without the protocol. */
export function nameOf({ description, url }: Pick<Webhook, "description" | "url">): string {
  return description ?? url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** The host that deliveries go to, with its port. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return URL.parse(url)?.host ?? url;
}
