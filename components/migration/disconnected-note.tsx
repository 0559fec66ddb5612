import { Alert, Group, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";

import { ConnectAgain } from "@/components/migration/connect-again";

/** Says that a migration cannot run because its org is disconnected, and links to connect it again. */
export function DisconnectedNote({ instanceUrl }: { instanceUrl: string }) {
  return (
    <Alert color="amber" title="The Salesforce org is disconnected" icon={<IconPlugConnectedX aria-hidden />}>
      <Text size="sm">
        What was imported and the report are still here. To run this migration, connect the org again as the same
        Salesforce user.
      </Text>
      <Group mt="md">
        <ConnectAgain instanceUrl={instanceUrl} />
      </Group>
    </Alert>
  );
}
