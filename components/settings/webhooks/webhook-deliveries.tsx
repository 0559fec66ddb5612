"use client";

import { Paper } from "@mantine/core";

import { DeliveryLog } from "@/components/settings/webhooks/deliveries/delivery-log";
import { WebhookFrame } from "@/components/settings/webhooks/frame/webhook-frame";
import { SendTest } from "@/components/settings/webhooks/manage/send-test";
import { WebhookFacts } from "@/components/settings/webhooks/webhook-facts";

/** One webhook: its health and its deliveries. */
export function WebhookDeliveries({ id }: { id: string }) {
  return (
    <WebhookFrame id={id} tab="deliveries">
      {(webhook) => (
        <>
          <WebhookFacts webhook={webhook} />
          <Paper withBorder p="lg">
            <SendTest webhook={webhook} />
          </Paper>
          <DeliveryLog webhook={webhook} />
        </>
      )}
    </WebhookFrame>
  );
}
