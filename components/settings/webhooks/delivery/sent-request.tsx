import { Stack, Text } from "@mantine/core";

import { HeaderList } from "@/components/settings/webhooks/delivery/header-list";
import { CodeBlock } from "@/components/ui/copy/code-block";
import { Section } from "@/components/ui/layout/section";
import { Breakable } from "@/components/ui/text/breakable";
import type { WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";
import { EVENT_GONE } from "@/lib/webhooks/deliveries/limits";

/** The request of a delivery. Every attempt gets a new timestamp and signature. */
export function SentRequest({ request: { url, headers, body } }: { request: WebhookDeliveryDetail["request"] }) {
  return (
    <Section title="Request" lead="Every attempt gets a new webhook-timestamp and webhook-signature.">
      <Stack gap="sm">
        <Text size="sm">
          POST <Breakable text={url} kind="url" />
        </Text>
        <div>
          <Text size="sm" fw={600} mb={4}>
            Headers
          </Text>
          <HeaderList headers={headers} />
        </div>
        <div>
          <Text size="sm" fw={600} mb={4}>
            Body
          </Text>
          {body ? <CodeBlock text={JSON.stringify(body, null, 2)} what="body" /> : <Text size="sm">{EVENT_GONE}</Text>}
        </div>
      </Stack>
    </Section>
  );
}
