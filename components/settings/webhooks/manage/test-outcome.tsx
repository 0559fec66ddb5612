import { Alert, Loader, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";

import { nextTry } from "@/components/settings/webhooks/deliveries/next-try";
import { type DeliveryKey, deliveryHref, useDelivery } from "@/components/settings/webhooks/deliveries/use-delivery";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { TextLink } from "@/components/ui/text/links";
import type { WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";

/** The outcome of a test event, or that it is still being sent. */
export function TestOutcome({ webhookId, eventId }: DeliveryKey) {
  // A test event is sent whether the webhook is on or off.
  const query = useDelivery({ webhookId, eventId }, true);
  const [attempt] = query.data?.attempts_log ?? [];
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data || !attempt) {
    return (
      <Alert color="sky" title="The test event is on its way" icon={<Loader size={18} aria-hidden />}>
        The endpoint has 15 seconds to answer.
      </Alert>
    );
  }
  const hasArrived = attempt.error === null;
  return (
    <Alert
      color={hasArrived ? "pine" : "rust"}
      title={hasArrived ? "The test event has arrived" : "The test event has not arrived"}
      icon={hasArrived ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
    >
      <Text size="sm">{outcomeWords(query.data)}</Text>
      <TextLink href={deliveryHref({ webhookId, eventId })} size="sm" c="inherit" underline="always">
        What was sent, and what came back
      </TextLink>
    </Alert>
  );
}

function outcomeWords(delivery: WebhookDeliveryDetail): string {
  const [attempt] = delivery.attempts_log;
  if (!attempt) return "";
  if (attempt.error === null) return `The endpoint answered ${attempt.status} after ${attempt.latency_ms} ms.`;
  const again = delivery.state === "pending" && nextTry(delivery, true);
  return again ? `${attempt.error} It is tried again ${again}.` : attempt.error;
}
