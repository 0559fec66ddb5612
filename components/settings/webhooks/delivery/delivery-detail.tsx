"use client";

import { DeliveryBadge } from "@/components/settings/webhooks/deliveries/delivery-state";
import { isSent } from "@/components/settings/webhooks/deliveries/is-sent";
import { type DeliveryKey, useDelivery } from "@/components/settings/webhooks/deliveries/use-delivery";
import { Attempts } from "@/components/settings/webhooks/delivery/attempts";
import { DeliveryFacts } from "@/components/settings/webhooks/delivery/delivery-facts";
import { Resend } from "@/components/settings/webhooks/delivery/resend";
import { SentRequest } from "@/components/settings/webhooks/delivery/sent-request";
import { eventName } from "@/components/settings/webhooks/event-names";
import { useWebhook } from "@/components/settings/webhooks/use-webhooks";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Page } from "@/components/ui/layout/page";
import type { WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";

/** One delivery: its request, its attempts with their answers, and a button that sends it again. */
export function DeliveryDetail(key: DeliveryKey) {
  const webhook = useWebhook(key.webhookId).data;
  const isOn = webhook?.active ?? true;
  const query = useDelivery(key, isOn);
  const list = `/settings/webhooks/${key.webhookId}`;
  const name = webhook ? nameOf(webhook) : "the webhook";
  return (
    <Page
      title={query.data ? eventName(query.data.event) : "Delivery"}
      actions={query.data && <DeliveryBadge state={query.data.state} size="lg" />}
      parent={{ href: list, name: `Deliveries to ${name}` }}
    >
      <Loaded query={query} loading="Loading the delivery" list={{ href: list, name: "All deliveries" }}>
        {(delivery) => <Sections keyOf={key} delivery={delivery} isOn={isOn} />}
      </Loaded>
    </Page>
  );
}

function Sections({ keyOf, delivery, isOn }: { keyOf: DeliveryKey; delivery: WebhookDeliveryDetail; isOn: boolean }) {
  const isSentNow = isSent(delivery, isOn);
  const resend = delivery.request.body && <Resend deliveryKey={keyOf} delivery={delivery} isOn={isSentNow} />;
  return (
    <>
      <DeliveryFacts delivery={delivery} isOn={isSentNow} />
      <Attempts delivery={delivery} action={resend} />
      <SentRequest request={delivery.request} />
    </>
  );
}
