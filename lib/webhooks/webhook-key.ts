/** Names one webhook. */
export interface WebhookKey {
  organizationId: string;
  webhookId: string;
}
