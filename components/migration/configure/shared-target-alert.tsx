import { Alert, List } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import { objectName, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { targetLabel } from "@/components/migration/field-columns";

/** Lists the targets that were chosen for two fields. */
export function SharedTargetAlert({ shared }: { shared: readonly { object: MigratedObjectName; target: string }[] }) {
  return (
    <Alert
      color="rust"
      icon={<IconAlertTriangle aria-hidden />}
      title="Two fields cannot go to the same place"
      role="alert"
    >
      <List size="sm">
        {shared.map(({ object, target }) => (
          <List.Item key={`${object} ${target}`}>
            {objectName(object)}: “{targetLabel(target)}” is chosen twice. Give one of the two fields another target.
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
