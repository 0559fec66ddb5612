import { Badge, Box, Button, Group, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";

import { Loaded } from "@/components/ui/feedback/loaded";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { issueColumns } from "@/components/migration/migrate/issues/issue-columns";
import { groupInWords, type IssueGroup } from "@/components/migration/migrate/issues/issue-words";
import { useIssues } from "@/components/migration/migrate/issues/use-issues";
import type { Migration } from "@/lib/migration/migration-schema";

const OUTCOMES = {
  failed: { label: "Failed", color: "rust" },
  skipped: { label: "Skipped on purpose", color: "gray" },
} as const;

/** The records of one object that were left out for one reason: their number, the reason, and on demand a list. */
export function IssueGroupCard({ migration, group }: { migration: Migration; group: IssueGroup }) {
  const [isOpen, { toggle }] = useDisclosure();
  const { label, color } = OUTCOMES[group.outcome];
  const words = groupInWords(group);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="xs">
        <Title order={3}>{words}</Title>
        <Badge color={color}>{label}</Badge>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {group.reason ?? "The reason of each record stands beside it."} {group.remedy}
      </Text>
      <Button
        variant="default"
        size="xs"
        mt="sm"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Hide" : "Show"} the records: ${words}`}
        rightSection={isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
      >
        {isOpen ? "Hide the records" : "Show the records"}
      </Button>
      {isOpen && (
        <Box mt="md">
          <Issues migration={migration} group={group} caption={words} />
        </Box>
      )}
    </Paper>
  );
}

function Issues({ migration, group, caption }: { migration: Migration; group: IssueGroup; caption: string }) {
  const query = useIssues(migration, group);
  return (
    <Loaded query={query} loading="Loading the records">
      {(rows) => (
        <PagedTable
          caption={caption}
          columns={issueColumns(migration.ext_instance_url, group)}
          rows={rows}
          rowKey={(issue) => issue.id}
          query={query}
        />
      )}
    </Loaded>
  );
}
