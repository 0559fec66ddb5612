"use client";

import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { RotateWebhookSecret } from "@/components/settings/webhooks/secret/rotate-webhook-secret";
import { Unsigned } from "@/components/settings/webhooks/secret/unsigned";
import { Section } from "@/components/ui/layout/section";
import { formatMoment } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The secret of a webhook, with a button to replace it. */
export function WebhookSecret({ webhook }: { webhook: Webhook }) {
  const { id, is_signed, previous_secret_expires_at: until } = webhook;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Section
        title="Secret"
        lead={
          is_signed
            ? "Signs every delivery. It is never shown again; rotate it when it gets lost or may be known to others."
            : "With a secret every delivery is signed, so that the receiver can tell that it comes from here."
        }
        action={
          <Button variant="default" onClick={open}>
            {is_signed ? "Rotate the secret" : "Add a secret"}
          </Button>
        }
      >
        {is_signed ? until && <OldSecret until={until} /> : <Unsigned />}
      </Section>
      <RotateWebhookSecret id={id} isSigned={is_signed} previousUntil={until} opened={isOpen} onClose={close} />
    </>
  );
}

function OldSecret({ until }: { until: string }) {
  return (
    <Text size="sm">
      The old secret signs too, until <time dateTime={until}>{formatMoment(until)}</time>.
    </Text>
  );
}
