import { Code, Stack, Text } from "@mantine/core";

import { nodeReceiver } from "@/components/settings/webhooks/example/node-receiver";
import { pythonReceiver } from "@/components/settings/webhooks/example/python-receiver";
import type { SecretFormat } from "@/components/settings/webhooks/example/secret-format";
import { Snippets } from "@/components/ui/copy/snippets";

/** An endpoint in two languages that runs unchanged, and what a receiver has to expect. */
export function VerifyExample({ format }: { format: SecretFormat }) {
  return (
    <Stack gap="sm">
      {format !== "none" && (
        <Text size="sm" maw="46rem">
          Deliveries are signed by Standard Webhooks. The <Code>webhook-signature</Code> is computed from the secret,
          the <Code>webhook-id</Code>, the <Code>webhook-timestamp</Code> and the body. The library also refuses
          deliveries that are older than five minutes.
        </Text>
      )}
      <Text size="sm" maw="46rem">
        The same event can come more than once, after a timeout or a resend: its <Code>webhook-id</Code> stays the same,
        so do nothing for an id that you have handled. Events can also overtake one another: of two with the same
        object, the one with the higher <Code>version</Code> is the newer.
      </Text>
      <Snippets
        snippets={[
          { label: "Node", text: nodeReceiver(format) },
          { label: "Python", text: pythonReceiver(format) },
        ]}
      />
    </Stack>
  );
}
