import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { AttemptItem } from "@/components/settings/webhooks/delivery/attempt-item";
import classes from "@/components/settings/webhooks/delivery/attempt-item.module.css";
import { Section } from "@/components/ui/layout/section";
import { formatNumber } from "@/components/ui/text/format";
import type { WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";

/** The last attempts of a delivery, newest first. */
export function Attempts({
  delivery: { attempts, attempts_log },
  action,
}: {
  delivery: WebhookDeliveryDetail;
  action: ReactNode;
}) {
  const shown = attempts_log.length;
  const part = attempts > shown ? `The last ${formatNumber(shown)} of ${formatNumber(attempts)}, newest` : "Newest";
  return (
    <Section title="Attempts" lead={`${part} first. All of them carry the same webhook-id.`} action={action}>
      {attempts_log.length === 0 ? (
        <Text size="sm">Not tried yet.</Text>
      ) : (
        <Stack gap={0} component="ol" className={classes.list}>
          {attempts_log.map((attempt, index) => (
            <AttemptItem key={attempt.number} attempt={attempt} isOpened={index === 0} />
          ))}
        </Stack>
      )}
    </Section>
  );
}
