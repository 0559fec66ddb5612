import { Badge, Paper, SimpleGrid, Text, Title } from "@mantine/core";

import { formatNumber } from "@/components/ui/text/format";
import type { Complexity, Report } from "@/lib/migration/report/report-schema";

type Automations = Report["automations"];
type Kind = Exclude<keyof Automations, "complexity">;

const NAMES: [kind: Kind, name: string][] = [
  ["workflows", "Workflow rules"],
  ["process_builder_flows", "Process Builder flows"],
  ["flows", "Other flows"],
  ["triggers", "Triggers"],
  ["validation_rules", "Validation rules"],
];

const LEVELS: Record<Complexity, { label: string; color: string }> = {
  none: { label: "None", color: "gray" },
  low: { label: "Low", color: "pine" },
  medium: { label: "Medium", color: "amber" },
  high: { label: "High", color: "rust" },
};

/**
 * Automations of the org, with the complexity of each kind and of all. They are not migrated, so users must know of
 * them.
 */
export function AutomationComplexity({ automations }: { automations: Automations }) {
  const { complexity, ...kinds } = automations;
  return (
    <section>
      <Title order={2}>Automation complexity{complexity && `: ${LEVELS[complexity].label.toLowerCase()}`}</Title>
      <Text c="dimmed" size="sm" mb="md">
        {complexity === null
          ? "The Salesforce user may not see the automations."
          : "These stay in Salesforce, and nothing here takes over their work. Complexity says how much work that " +
            "is: a flow counts as two rules, a trigger as four."}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        {NAMES.map(([kind, name]) => (
          <KindCard key={kind} name={name} found={kinds[kind]} />
        ))}
      </SimpleGrid>
    </section>
  );
}

function KindCard({ name, found }: { name: string; found: Automations[Kind] }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz="1.5rem" fw={600}>
        {found ? formatNumber(found.active) : "Unknown"}
      </Text>
      <Text size="xs" c="dimmed" mb={found ? 8 : 0}>
        {found ? `active, of ${formatNumber(found.total)}` : "the user may not see them"}
      </Text>
      {found && (
        <Badge color={LEVELS[found.complexity].color} size="sm">
          {LEVELS[found.complexity].label}
        </Badge>
      )}
    </Paper>
  );
}
