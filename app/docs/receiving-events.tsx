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
  /** What the body of a delivery is. */
  event: Schema;
  places: Places;
}

/** What the endpoint of a webhook gets, how it knows who sent it, and what its answers mean. */
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
        <InlineText text={`It is signed by the secret \`${EXAMPLE_SECRET}\`.`} />
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
  "Each event comes as a `POST` of its own. `webhook-id` is the event's `id`, the same at every attempt; " +
  "`webhook-timestamp` is when the attempt was made, in seconds since 1970; `webhook-signature` is there if the " +
  "webhook has a secret.";
