import { EmptyState, Paper } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";

import { LinkButton } from "@/components/ui/text/link-button";

/** What an API client is, for an organization that has none. */
export function NoClients() {
  return (
    <Paper withBorder py={56} px="md">
      <EmptyState
        icon={<IconKey stroke={1.4} />}
        variant="light"
        title="No API clients yet"
        description="An API client lets a program of yours, or one that you trust, use the API. It gets a client_id and a client secret; each person decides for themselves whether it may act in their name."
      >
        <EmptyState.Actions>
          <LinkButton href="/settings/api/new">Create client</LinkButton>
        </EmptyState.Actions>
      </EmptyState>
    </Paper>
  );
}
