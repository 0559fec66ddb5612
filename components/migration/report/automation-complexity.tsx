import { Badge, Box, Paper, SimpleGrid, Text, Title } from "@mantine/core";

import { formatNumber } from "@/components/ui/text/format";
import { AutomationTable } from "@/components/migration/report/automation-table";
import { type AutomationKind, LEVELS, NAMES } from "@/components/migration/report/automation-words";
import type { Report } from "@/lib/migration/report/report-schema";

type Automations = Report["automations"];

const KINDS = Object.keys(NAMES) as AutomationKind[];

/**
 * Automations of the org, with the complexity of each kind and of all. They are not migrated, so users must know of
 * them.
 */
export function AutomationComplexity({ report }: { report: Report }) {
  const { complexity, ...kinds } = report.automations;
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
        {KINDS.map((kind) => (
          <KindCard key={kind} name={NAMES[kind].many} found={kinds[kind]} />
        ))}
      </SimpleGrid>
      {report.automation_list && (
        <Box mt="md">
          <AutomationTable list={report.automation_list} />
        </Box>
      )}
    </section>
  );
}

function KindCard({ name, found }: { name: string; found: Automations[AutomationKind] }) {
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
