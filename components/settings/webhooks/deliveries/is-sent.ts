import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";
import { TEST_EVENT } from "@/lib/webhooks/event-types";

/** Whether a delivery is sent while its webhook is on, or is not: to one that is off go test events alone. */
export function isSent({ event }: Pick<WebhookDelivery, "event">, isOn: boolean): boolean {
  return isOn || event === TEST_EVENT;
}
