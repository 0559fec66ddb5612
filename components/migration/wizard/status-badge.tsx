import { Badge } from "@mantine/core";

import { type MigrationStatus, STATUSES } from "@/components/migration/wizard/migration-statuses";

/** A migration's status in words. */
export function StatusBadge({ status }: { status: MigrationStatus }) {
  const { label, color } = STATUSES[status];
  return (
    <Badge color={color} size="lg">
      {label}
    </Badge>
  );
}
