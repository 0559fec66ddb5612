import { Badge } from "@mantine/core";

import { formatLargestUnit } from "@/components/ui/text/format";
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

/** The health of a webhook, in words and as a color. */
export function stateOf(
  { active, disabled_reason, failing_since, failed_deliveries }: Watched,
  now = Date.now(),
): StateWords {
  if (!active)
    return disabled_reason ? { label: SWITCHED_OFF[disabled_reason], color: "rust" } : { label: "Off", color: "gray" };
  if (failing_since)
    return { label: `Failing for ${formatLargestUnit((now - Date.parse(failing_since)) / 1000)}`, color: "amber" };
  return { label: "On", color: failed_deliveries > 0 ? "amber" : "pine" };
}

export function WebhookState({ webhook, size = "md" }: { webhook: Watched; size?: "md" | "lg" }) {
  const { label, color } = stateOf(webhook);
  return (
    <Badge color={color} size={size}>
      {/* A minute may end between the server and the browser. */}
      <span suppressHydrationWarning>{label}</span>
    </Badge>
  );
}
