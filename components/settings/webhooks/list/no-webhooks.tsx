import { EmptyState, Paper } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";

import { LinkButton } from "@/components/ui/text/link-button";

/** What a webhook is for, for an organization that has none. */
export function NoWebhooks() {
  return (
    <Paper withBorder py={56} px="md">
      <EmptyState
        icon={<IconWebhook stroke={1.4} />}
        variant="light"
        title="No webhooks yet"
        description="A webhook tells another system of yours the moment something happens here: a case is escalated, an opportunity changes its stage. Each event is sent to an address that you name, signed, and again until it arrives."
      >
        <EmptyState.Actions>
          <LinkButton href="/settings/webhooks/new">Create webhook</LinkButton>
        </EmptyState.Actions>
      </EmptyState>
    </Paper>
  );
}
