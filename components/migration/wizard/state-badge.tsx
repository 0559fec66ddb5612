import { Badge } from "@mantine/core";

import { type MigrationState, STATES } from "@/components/migration/wizard/migration-states";

/** A migration's state in words. */
export function StateBadge({ state }: { state: MigrationState }) {
  const { label, color } = STATES[state];
  return (
    <Badge variant="light" color={color} tt="none" fw={600} miw="max-content" size="lg">
      {label}
    </Badge>
  );
}
