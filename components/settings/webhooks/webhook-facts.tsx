import { Paper, Stack } from "@mantine/core";

import { FailedLink } from "@/components/settings/webhooks/deliveries/failed-link";
import { EventCodes } from "@/components/settings/webhooks/event-codes";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Ago } from "@/components/ui/text/ago";
import { Breakable } from "@/components/ui/text/breakable";
import { formatNumber } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The setup and the health of a webhook. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const {
    id,
    url,
    events,
    is_signed,
    last_delivered_at,
    last_failed_at,
    pending_deliveries,
    failed_deliveries: failed,
  } = webhook;
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Facts>
          <Fact label="Endpoint">
            <Breakable text={url} kind="url" />
          </Fact>
          <Fact label="Endpoint set by">
            <Author webhook={webhook} />
          </Fact>
          <Fact label="Events">
            <EventCodes events={events} />
          </Fact>
        </Facts>
        <Facts isShort>
          <Fact label="Last delivered">
            <Ago iso={last_delivered_at} />
          </Fact>
          <Fact label="Last failed">
            <Ago iso={last_failed_at} />
          </Fact>
          <Fact label="Pending deliveries">{formatNumber(pending_deliveries)}</Fact>
          <Fact label="Failed deliveries">
            {failed > 0 ? <FailedLink id={id}>{formatNumber(failed)}</FailedLink> : formatNumber(failed)}
          </Fact>
          <Fact label="Signed">{is_signed ? "yes" : "no"}</Fact>
        </Facts>
      </Stack>
    </Paper>
  );
}

/** Who last set the endpoint of a webhook: an admin, or an app in the admin's name. */
function Author({ webhook: { client_name, url_set_by } }: { webhook: Webhook }) {
  const admin = url_set_by ?? "somebody who is no longer known";
  if (client_name === null) return <>{admin}</>;
  return (
    <>
      the app “<bdi>{client_name}</bdi>”, in the name of {admin}
    </>
  );
}
