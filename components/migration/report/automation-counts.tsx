import { Paper, SimpleGrid, Text, Title } from "@mantine/core";

import { formatNumber } from "@/components/layout/format";
import type { Report } from "@/lib/migration/schemas";

const NAMES: [kind: keyof Report["automations"], name: string][] = [
  ["flows", "Flows"],
  ["workflow_rules", "Workflow rules"],
  ["apex_triggers", "Apex triggers"],
  ["validation_rules", "Validation rules"],
];

/** Automations of the org: they are not migrated, so somebody has to know of them. */
export function AutomationCounts({ automations }: { automations: Report["automations"] }) {
  return (
    <section>
      <Title order={2}>Automations</Title>
      <Text c="dimmed" size="sm" mb="md">
        They stay in Salesforce, and nothing here does their work.
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {NAMES.map(([kind, name]) => {
          const count = automations[kind];
          return (
            <Paper key={kind} withBorder p="md">
              <Text size="sm" c="dimmed">
                {name}
              </Text>
              <Text fz="1.5rem" fw={600}>
                {count ? formatNumber(count.active) : "Unknown"}
              </Text>
              <Text size="xs" c="dimmed">
                {count ? `active, of ${formatNumber(count.total)}` : "not readable with this user"}
              </Text>
            </Paper>
          );
        })}
      </SimpleGrid>
    </section>
  );
}
