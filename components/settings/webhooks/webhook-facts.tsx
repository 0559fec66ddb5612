import { Paper } from "@mantine/core";

import { Fact, Facts } from "@/components/layout/facts";
import { formatMoment, formatNumber } from "@/components/layout/format";
import { Ago } from "@/components/settings/moment";
import { Address } from "@/components/settings/webhooks/address";
import { EventCodes } from "@/components/settings/webhooks/event-codes";
import type { Webhook } from "@/lib/webhooks/webhook-schema";

/** How a webhook does, and what it is. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events, is_signed, last_delivered_at, last_failed_at, pending_deliveries, created_at } = webhook;
  return (
    <Paper withBorder p="lg">
      <Facts>
        <Fact label="Address">
          <Address url={url} />
        </Fact>
        <Fact label="Events">
          <EventCodes events={events} />
        </Fact>
        <Fact label="Last delivered">
          <When at={last_delivered_at} />
        </Fact>
        <Fact label="Last failed">
          <When at={last_failed_at} />
        </Fact>
        <Fact label="Pending deliveries">{formatNumber(pending_deliveries)}</Fact>
        <Fact label="Signed">{is_signed ? "yes" : "no: it has no secret"}</Fact>
        <Fact label="Created">{formatMoment(created_at)}</Fact>
      </Facts>
    </Paper>
  );
}

function When({ at }: { at: string | null }) {
  if (!at) return <>never</>;
  return (
    <>
      <Ago iso={at} />, {formatMoment(at)}
    </>
  );
}
