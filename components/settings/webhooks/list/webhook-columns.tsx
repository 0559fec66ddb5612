import { FailedLink } from "@/components/settings/webhooks/deliveries/failed-link";
import { EventCodes } from "@/components/settings/webhooks/event-codes";
import classes from "@/components/settings/webhooks/list/webhook-columns.module.css";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { WebhookState } from "@/components/settings/webhooks/webhook-state";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { Ago } from "@/components/ui/text/ago";
import { Breakable } from "@/components/ui/text/breakable";
import { formatNumber } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The columns of the list of webhooks. */
export const WEBHOOK_COLUMNS: StackColumn<Webhook>[] = [
  {
    key: "url",
    header: "Webhook",
    heading: true,
    cell: (webhook) => (
      <div className={classes.webhook}>
        <TextLink href={`/settings/webhooks/${webhook.id}`} inherit>
          <bdi>{nameOf(webhook)}</bdi>
        </TextLink>
        <div className={classes.quiet}>
          <Breakable text={webhook.url} kind="url" />
        </div>
        {webhook.client_name !== null && (
          <div className={classes.quiet}>
            set by the app “<bdi>{webhook.client_name}</bdi>”
          </div>
        )}
      </div>
    ),
  },
  { key: "events", header: "Events", cell: ({ events }) => <EventCodes events={events} inShort /> },
  { key: "state", header: "State", cell: (webhook) => <Health webhook={webhook} /> },
  {
    key: "last_delivered_at",
    header: "Last delivered",
    cell: ({ last_delivered_at }) => <Ago iso={last_delivered_at} />,
  },
  {
    key: "pending",
    header: "Pending",
    numeric: true,
    cell: ({ pending_deliveries }) => formatNumber(pending_deliveries),
  },
];

/** Failed deliveries are shown even after the endpoint has recovered: they were not delivered. */
function Health({ webhook }: { webhook: Webhook }) {
  const { id, failed_deliveries } = webhook;
  return (
    <>
      <WebhookState webhook={webhook} />
      {failed_deliveries > 0 && (
        <div>
          <FailedLink id={id}>{formatNumber(failed_deliveries)} failed</FailedLink>
        </div>
      )}
    </>
  );
}
