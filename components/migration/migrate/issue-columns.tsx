import { Code, Group, Text } from "@mantine/core";
import type { z } from "zod";

import type { StackColumn } from "@/components/layout/stack-table";
import { objectName } from "@/lib/migration/object-names";
import type { recordIssue } from "@/lib/migration/schemas";

type RecordIssue = z.infer<typeof recordIssue>;

/** What is said of a record that was not imported. */
export const ISSUE_COLUMNS: StackColumn<RecordIssue>[] = [
  { key: "record", header: "Salesforce id", heading: true, cell: (issue) => <Code fw={400}>{issue.ext_id}</Code> },
  { key: "object", header: "Object", cell: (issue) => objectName(issue.object) },
  { key: "field", header: "Field and value", cell: (issue) => (issue.field ? <FieldAndValue issue={issue} /> : null) },
  { key: "reason", header: "Reason", wide: true, cell: (issue) => issue.reason },
];

function FieldAndValue({ issue }: { issue: RecordIssue }) {
  return (
    <Group gap={6} wrap="wrap">
      <Code>{issue.field}</Code>
      {issue.value !== null && (
        <Text component="span" size="sm" c="dimmed">
          {issue.value}
        </Text>
      )}
    </Group>
  );
}
