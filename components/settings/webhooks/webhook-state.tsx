import { Badge } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

type Watched = Pick<Webhook, "active" | "disabled_reason" | "failing_since" | "failed_deliveries">;

interface StateWords {
  label: string;
  color: "gray" | "pine" | "amber" | "rust";
}

const SWITCHED_OFF = {
  gone: "Switched off: gone",
  failing: "Switched off: failing",
  access_ended: "Switched off: app without access",
} as const;

/** How a webhook does, in words and with a color. */
export function stateOf(
  { active, disabled_reason, failing_since, failed_deliveries }: Watched,
  now = Date.now(),
): StateWords {
  if (!active)
    return disabled_reason ? { label: SWITCHED_OFF[disabled_reason], color: "rust" } : { label: "Off", color: "gray" };
  if (failing_since) return { label: `Failing for ${forWords(failing_since, now)}`, color: "amber" };
  return { label: "On", color: failed_deliveries > 0 ? "amber" : "pine" };
}

/** A length of time to its largest unit: "a moment", "3 hours". */
function forWords(since: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(since)) / 60_000);
  if (minutes < 1) return "a moment";
  if (minutes < 60) return formatCount(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? formatCount(hours, "hour") : formatCount(Math.floor(hours / 24), "day");
}

/** The state of a webhook, at its name. */
export function WebhookState({ webhook, size = "md" }: { webhook: Watched; size?: "md" | "lg" }) {
  const { label, color } = stateOf(webhook);
  return (
    <Badge color={color} size={size}>
      {label}
    </Badge>
  );
}
