import { TEST_EVENT } from "@/lib/event-format";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/** Whether a delivery is sent: a webhook that is off gets only test events. */
export function isSent({ event }: Pick<WebhookDelivery, "event">, isOn: boolean): boolean {
  return isOn || event === TEST_EVENT;
}
