/** The headers that every attempt at a delivery has alike (Standard Webhooks, "Webhook headers"); timestamp and signature are made for each. */
export function fixedHeaders(eventId: string): Record<string, string> {
  return { "content-type": "application/json", "user-agent": "CRM-Webhooks/1", "webhook-id": eventId };
}
