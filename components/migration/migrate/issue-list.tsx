import { Button, Center, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/feedback/problem-alert";
import { RowsSkeleton } from "@/components/feedback/rows-skeleton";
import { type StackColumn, StackTable } from "@/components/layout/stack-table";
import { objectName } from "@/components/migration/object-names";
import { recordIssue } from "@/lib/migration/schemas";

const issuePage = pageOf(recordIssue);
type RecordIssue = z.infer<typeof recordIssue>;

const COLUMNS: StackColumn<RecordIssue>[] = [
  { key: "record", header: "Record", heading: true, cell: (issue) => <Code fw={400}>{issue.ext_id}</Code> },
  { key: "object", header: "Object", cell: (issue) => objectName(issue.object) },
  { key: "outcome", header: "Outcome", cell: (issue) => (issue.outcome === "failed" ? "Failed" : "Skipped") },
  { key: "field", header: "Field and value", cell: (issue) => (issue.field ? <FieldAndValue issue={issue} /> : null) },
  { key: "reason", header: "Reason", wide: true, cell: (issue) => issue.reason },
];

/** Every record that was not imported, with its reason. */
export function IssueList({ id }: { id: string }) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.issues(id),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/migration/${id}/errors${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, issuePage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section>
      <Title order={2} mb="md">
        Records that were left out
      </Title>
      <Stack>
        {query.isPending && <RowsSkeleton label="Loading the records that were left out" />}
        {rows.length > 0 && (
          <Paper withBorder px={{ base: "md", sm: "xs" }}>
            <StackTable caption="Records that were left out" columns={COLUMNS} rows={rows} rowKey={(issue) => issue.id} />
          </Paper>
        )}
        {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
        {query.hasNextPage && (
          <Center>
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          </Center>
        )}
      </Stack>
    </section>
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
