import { fromLocalTime } from "@/components/ui/text/time-zone";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/limits";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The choices of since when to recover, in milliseconds before now. The longest leaves a minute for the request. */
export const SINCE_CHOICES = [
  { value: "hour", label: "The last hour", ms: HOUR_MS },
  { value: "day", label: "The last day", ms: DAY_MS },
  { value: "week", label: "The last 7 days", ms: 7 * DAY_MS },
  { value: "month", label: `The last ${DELIVERY_DAYS} days`, ms: DELIVERY_DAYS * DAY_MS - 60_000 },
] as const;

export const OWN_TIME = "own";

/**
 * The moment that a choice stands for. Null when `own`, in the time zone of the pages, is no time, in the future, or
 * too long ago.
 */
export function sinceOf(choice: string, own: string, now = Date.now()): Date | null {
  const chosen = SINCE_CHOICES.find(({ value }) => value === choice);
  if (chosen) return new Date(now - chosen.ms);
  const at = Date.parse(fromLocalTime(own));
  return at <= now && at >= now - DELIVERY_DAYS * DAY_MS ? new Date(at) : null;
}
