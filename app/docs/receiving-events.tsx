import { Text, Title } from "@mantine/core";

import { receivedRequest, EXAMPLE_SECRET } from "@/app/docs/received-request";
import { deliveryRules, SIGNATURES } from "@/app/docs/receiving-text";
import { CodeBlock } from "@/components/ui/copy/code-block";
import type { Schema } from "@/components/docs/document";
import { FieldList, fieldsOf, type Places } from "@/components/docs/schema/field-list";
import { InlineText } from "@/components/docs/markdown/inline-text";
import { Markdown } from "@/components/docs/markdown/markdown";
import { VerifyExample } from "@/components/settings/webhooks/example/verify-example";

interface ReceivingEventsProps {
  /** The schema of a delivery's body. */
  event: Schema;
  places: Places;
}

/** What a webhook's endpoint receives, how it verifies the sender, and what its answers mean. */
export function ReceivingEvents({ event, places }: ReceivingEventsProps) {
  return (
    <>
      <Title order={2} id="receiving" mt="md">
        What an endpoint gets
      </Title>
      <Text>
        <InlineText text={INTRODUCTION} />
      </Text>
      <CodeBlock text={receivedRequest()} />
      <Text size="sm" c="dimmed">
        <InlineText text={`It is signed with the secret \`${EXAMPLE_SECRET}\`.`} />
      </Text>
      <Title order={3}>The body</Title>
      <FieldList fields={fieldsOf(event)} places={places} />
      <Title order={2} mt="md">
        Verify the signature
      </Title>
      <VerifyExample format="either" />
      <Markdown source={SIGNATURES} />
      <Markdown source={deliveryRules()} />
    </>
  );
}

const INTRODUCTION =
  "Each event is sent as a separate `POST`. `webhook-id` is the event's `id`, the same in every attempt; " +
  "`webhook-timestamp` is when the attempt was made, in seconds since 1970; `webhook-signature` is present if the " +
  "webhook has a secret.";
