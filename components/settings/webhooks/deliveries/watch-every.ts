import { isSent } from "@/components/settings/webhooks/deliveries/is-sent";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/** Something may happen any moment. */
const CLOSELY_MS = 1500;
/** Nothing is to be expected for a while. */
const LOOSELY_MS = 15_000;
const SOON_MS = 20_000;

type Watched = Pick<WebhookDelivery, "event" | "state" | "next_attempt_at">;

/** How often to look at deliveries of a webhook again, in milliseconds; false when none of them changes by itself. */
export function watchEvery(deliveries: readonly Watched[], isOn: boolean, now = Date.now()): number | false {
  const pending = deliveries.filter((delivery) => delivery.state === "pending" && isSent(delivery, isOn));
  if (pending.length === 0) return false;
  const isSoon = pending.some(
    ({ next_attempt_at }) => next_attempt_at === null || Date.parse(next_attempt_at) - now < SOON_MS,
  );
  return isSoon ? CLOSELY_MS : LOOSELY_MS;
}
