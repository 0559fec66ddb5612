import { Alert, Button, Group, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";

import { forgetReconnect, useRememberedReconnect } from "@/components/migration/control/remembered-reconnect";
import { LinkButton } from "@/components/ui/text/links";

/** Says that the next sign-in is for a migration that lost its access, with the way back to it and out of it. */
export function ReconnectNote() {
  const remembered = useRememberedReconnect();
  if (remembered === null) return null;
  return (
    <Alert color="sky" mb="lg" title="You were giving a migration new access" icon={<IconPlugConnected aria-hidden />}>
      <Text size="sm">
        Sign in at Salesforce here to try again; then you are back at the migration. It also takes a new access token on
        its own page.
      </Text>
      <Group mt="md" gap="sm">
        <LinkButton href={remembered.path} size="xs" variant="default">
          Back to the migration
        </LinkButton>
        <Button size="xs" variant="default" onClick={forgetReconnect}>
          Start a new migration instead
        </Button>
      </Group>
    </Alert>
  );
}
