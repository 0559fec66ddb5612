import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The host that deliveries go to, with its port. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return URL.parse(url)?.host ?? url;
}

/** The name of a webhook: its description, or its host. The rest of its address may hold a token. */
export function nameOf(webhook: Pick<Webhook, "description" | "url">): string {
  return webhook.description ?? hostOf(webhook);
}
