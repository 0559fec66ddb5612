import { Anchor, Code, Group, Text } from "@mantine/core";

import type { StackColumn } from "@/components/ui/layout/stack-table";
import type { IssueGroup } from "@/components/migration/migrate/issues/issue-words";
import { shorten } from "@/components/records/record";
import { TextLink } from "@/components/ui/text/links";
import type { RecordIssue } from "@/lib/migration/issue-schema";
import { isResource } from "@/lib/records/schema/registry";

/** Issue codes whose field and value only repeat the reason: IsChild true. */
const SAID_BY_REASON = new Set([
  "mirrored_by_email",
  "invitee_copy",
  "recurrence_series",
  "mirrored_in_feed",
  "feed_notice",
  "deleted_in_source",
  "deleted_here",
]);

/**
 * The columns for records that were left out for one reason. Salesforce shows a record at its id below the address of
 * the org.
 */
export function issueColumns(instanceUrl: string, { code, reason }: IssueGroup): StackColumn<RecordIssue>[] {
  return [
    {
      key: "record",
      header: "In Salesforce",
      heading: true,
      cell: (issue) => (
        <Anchor href={`${instanceUrl}/${issue.ext_id}`} target="_blank" rel="noreferrer" inherit fw={400}>
          <Code>{issue.ext_id}</Code>
        </Anchor>
      ),
    },
    ...(code === "mirrored_by_email" ? [here("The e-mail here")] : []),
    ...(code === "mirrored_in_feed" ? [here("The record here")] : []),
    ...(SAID_BY_REASON.has(code) ? [] : [FIELD]),
    ...(reason === null ? [REASON] : []),
  ];
}

function here(header: string): StackColumn<RecordIssue> {
  return {
    key: "here",
    header,
    cell: ({ record }) => (record && isResource(record.resource) ? <RecordLink {...record} /> : "No longer here"),
  };
}

const FIELD: StackColumn<RecordIssue> = {
  key: "field",
  header: "Field and value",
  cell: (issue) => (issue.field ? <FieldAndValue issue={issue} /> : null),
};

const REASON: StackColumn<RecordIssue> = { key: "reason", header: "Reason", wide: true, cell: (issue) => issue.reason };

function RecordLink({ resource, id, name }: NonNullable<RecordIssue["record"]>) {
  return (
    <TextLink href={`/${resource}/${id}`} inherit>
      <bdi>{shorten(name ?? "")}</bdi>
    </TextLink>
  );
}

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
