import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import type { WebhookDelivery } from "@/lib/webhooks/delivery-schema";

/** Whether a delivery is sent while its webhook is on, or is not: to one that is off go test events alone. */
export function isSent({ event }: Pick<WebhookDelivery, "event">, isOn: boolean): boolean {
  return isOn || event === TEST_EVENT;
}
