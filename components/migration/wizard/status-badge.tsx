import { Badge } from "@mantine/core";

import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { MigrationStatus } from "@/lib/migration/migration-schema";

/** A migration's status in words. */
export function StatusBadge({ status }: { status: MigrationStatus }) {
  const { label, color } = STATUSES[status];
  return (
    <Badge color={color} size="lg">
      {label}
    </Badge>
  );
}
