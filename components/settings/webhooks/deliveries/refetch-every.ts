import { isSent } from "@/components/settings/webhooks/deliveries/is-sent";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/** While an attempt is due within `SOON_MS`. */
const SHORT_MS = 1500;
/** While every attempt is due later. */
const LONG_MS = 15_000;
const SOON_MS = 20_000;

type Watched = Pick<WebhookDelivery, "event" | "state" | "next_attempt_at">;

/** After how many milliseconds deliveries are read again; false when none of them changes by itself. */
export function refetchEvery(deliveries: readonly Watched[], isOn: boolean, now = Date.now()): number | false {
  const pending = deliveries.filter((delivery) => delivery.state === "pending" && isSent(delivery, isOn));
  if (pending.length === 0) return false;
  const isSoon = pending.some(
    ({ next_attempt_at }) => next_attempt_at === null || Date.parse(next_attempt_at) - now < SOON_MS,
  );
  return isSoon ? SHORT_MS : LONG_MS;
}
