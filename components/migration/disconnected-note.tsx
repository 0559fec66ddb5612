import { Alert, Group, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";

import { GiveAccess } from "@/components/migration/control/give-access";
import type { Migration } from "@/lib/migration/migration-schema";

/** Says that a migration cannot run because its org is disconnected, and lets connect it again. */
export function DisconnectedNote({ migration }: { migration: Migration }) {
  return (
    <Alert color="amber" title="The Salesforce org is disconnected" icon={<IconPlugConnectedX aria-hidden />}>
      <Text size="sm">
        What was imported and the report are still here. To run this migration, connect the org again as the same
        Salesforce user.
      </Text>
      <Group mt="md">
        <GiveAccess migration={migration} />
      </Group>
    </Alert>
  );
}
