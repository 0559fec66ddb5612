import { Text } from "@mantine/core";

import { FailedLink } from "@/components/settings/webhooks/deliveries/failed-link";
import { formatCount } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** "4 deliveries have failed". */
function failedWords(count: number): string {
  return `${formatCount(count, "delivery", "deliveries")} ${count === 1 ? "has" : "have"} failed`;
}

/** How many deliveries have failed, and how to recover them. Empty if there are none. */
export function FailedDeliveries({ webhook: { id, active, failed_deliveries: count } }: { webhook: Webhook }) {
  if (count === 0) return null;
  return (
    <Text size="sm" mt="xs">
      <FailedLink id={id}>{failedWords(count)}</FailedLink>: no further try is made. Recover, beside the deliveries,
      sends them again
      {!active && ", once the webhook is on"}; choose a time before the first of them.
    </Text>
  );
}
