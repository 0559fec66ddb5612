"use client";

import { Button, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";

import { type DeliveryKey, useResend } from "@/components/settings/webhooks/deliveries/use-delivery";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { once } from "@/components/ui/form/once";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

interface ResendProps {
  deliveryKey: DeliveryKey;
  delivery: WebhookDelivery;
  /** The delivery would be sent: the webhook is on, or the event is a test. */
  isOn: boolean;
}

/** A button that sends a delivery again in any state, with the same `webhook-id`. */
export function Resend({ deliveryKey, delivery, isOn }: ResendProps) {
  const resend = useResend(deliveryKey);
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
        loading={resend.isPending}
        disabled={!isOn}
        onClick={once(() => resend.mutate())}
      >
        Resend
      </Button>
      {!isOn && (
        <Text size="xs" c="dimmed">
          Switch the webhook on first.
        </Text>
      )}
      {resend.isError && <ProblemAlert error={resend.error} takesFocus />}
      <Announcement>
        {resend.isSuccess && (delivery.state === "pending" ? "It is sent again." : `It is ${delivery.state}.`)}
      </Announcement>
    </Stack>
  );
}
