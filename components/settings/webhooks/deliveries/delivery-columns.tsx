import classes from "@/components/settings/webhooks/deliveries/delivery-columns.module.css";
import { DeliveryBadge } from "@/components/settings/webhooks/deliveries/delivery-state";
import { isSent } from "@/components/settings/webhooks/deliveries/is-sent";
import { NextTry } from "@/components/settings/webhooks/deliveries/next-try";
import { deliveryHref } from "@/components/settings/webhooks/deliveries/use-delivery";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { Ago } from "@/components/ui/text/ago";
import { formatNumber } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The columns of the log of deliveries. */
export function deliveryColumns({
  id: webhookId,
  active,
}: Pick<Webhook, "id" | "active">): StackColumn<WebhookDelivery>[] {
  return [
    {
      key: "event",
      header: "Event",
      heading: true,
      cell: ({ event, event_id: eventId }) => (
        <TextLink href={deliveryHref({ webhookId, eventId })} inherit className={classes.event}>
          {event}
        </TextLink>
      ),
    },
    { key: "created_at", header: "Happened", cell: ({ created_at }) => <Ago iso={created_at} /> },
    { key: "state", header: "State", cell: ({ state }) => <DeliveryBadge state={state} /> },
    { key: "last", header: "Last answer", cell: ({ last_attempt }) => <LastAnswer attempt={last_attempt} /> },
    { key: "attempts", header: "Attempts", numeric: true, cell: ({ attempts }) => formatNumber(attempts) },
    {
      key: "next",
      header: "Next try",
      // Null hides the cell; a dash would take a line on narrow screens.
      cell: (delivery) =>
        delivery.state === "delivered" ? null : <NextTry delivery={delivery} isOn={isSent(delivery, active)} />,
    },
  ];
}

function LastAnswer({ attempt }: { attempt: WebhookDelivery["last_attempt"] }) {
  if (!attempt) return <span className={classes.note}>not tried yet</span>;
  if (attempt.error === null) return `${attempt.status} after ${formatNumber(attempt.latency_ms)} ms`;
  return <span className={classes.note}>{attempt.error}</span>;
}
