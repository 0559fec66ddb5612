import { Code, Paper } from "@mantine/core";

import { NextTry } from "@/components/settings/webhooks/deliveries/next-try";
import { Copyable } from "@/components/ui/copy/copyable";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Ago } from "@/components/ui/text/ago";
import { formatMoment, formatNumber } from "@/components/ui/text/format";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/** The event and the state of a delivery. */
export function DeliveryFacts({ delivery, isOn }: { delivery: WebhookDelivery; isOn: boolean }) {
  const { event, event_id, created_at, attempts } = delivery;
  return (
    <Paper withBorder p="lg">
      <Facts>
        <Fact label="Event">
          <Code>{event}</Code>
        </Fact>
        <Fact label="Happened">
          <Ago iso={created_at} />, {formatMoment(created_at)}
        </Fact>
        <Fact label="webhook-id">
          <Copyable text={event_id} what="webhook-id" />
        </Fact>
        <Fact label="Attempts">{formatNumber(attempts)}</Fact>
        <Fact label="Next try">
          <NextTry delivery={delivery} isOn={isOn} />
        </Fact>
      </Facts>
    </Paper>
  );
}
