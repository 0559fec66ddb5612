import { formatDuration } from "@/components/ui/text/format";
import { formatExact } from "@/components/ui/text/format";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/** When a delivery is tried next, in words: "now", "in 4 minutes". Null when it is delivered. */
export function nextTry(
  { state, next_attempt_at }: Pick<WebhookDelivery, "state" | "next_attempt_at">,
  isOn: boolean,
  now = Date.now(),
): string | null {
  if (state === "failed") return "none left";
  if (state === "delivered" || next_attempt_at === null) return null;
  if (!isOn) return "once the webhook is on";
  const seconds = (Date.parse(next_attempt_at) - now) / 1000;
  return seconds < 1 ? "now" : `in ${formatDuration(seconds)}`;
}

interface NextTryProps {
  delivery: Pick<WebhookDelivery, "state" | "next_attempt_at">;
  /** The webhook is switched on. */
  isOn: boolean;
}

/** When a delivery is tried next, with the exact time as a tooltip. A dash when it is delivered. */
export function NextTry({ delivery, isOn }: NextTryProps) {
  const words = nextTry(delivery, isOn);
  if (!delivery.next_attempt_at) return <>{words ?? "—"}</>;
  return (
    <time dateTime={delivery.next_attempt_at} title={formatExact(delivery.next_attempt_at)}>
      {words}
    </time>
  );
}
