import { Button, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { ClusterList } from "@/components/migration/configure/duplicates/cluster-list";
import { isSearching, useSearches, useStartSearch } from "@/components/migration/configure/duplicates/use-search";
import { FailureAlert } from "@/components/migration/failure-alert";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Ago } from "@/components/ui/text/ago";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { SearchSummary } from "@/lib/migration/duplicates/duplicates-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";

interface DuplicateSearchProps {
  object: SourceObjectName;
  /** The records of the object; null if they were not counted. */
  count: number | null;
}

/** Searches by the rules as they stand, saved or not, and shows what a run would do. */
export function DuplicateSearch({ object, count }: DuplicateSearchProps) {
  const { migration, draft } = useEditing();
  const id = migration.migration_id;
  const searches = useSearches(id);
  const start = useStartSearch(id);
  const search = searches.data?.find((each) => each.object === object);
  const isBusy = start.isPending || isSearching(search);
  const hasMore = search !== undefined || start.isError;
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={3}>What a run would find</Title>
          <Text size="sm" c="dimmed">
            The search reads Salesforce and what is here. It writes nothing.
          </Text>
        </div>
        <Button
          variant={search ? "default" : "filled"}
          leftSection={<IconSearch size={16} aria-hidden />}
          loading={isBusy}
          onClick={() => start.mutate({ object, draft })}
        >
          {search ? "Search again" : "Search for duplicates"}
        </Button>
      </Group>
      <Announcement>{announcementOf(search)}</Announcement>
      <Stack gap="md" mt={hasMore ? "md" : 0}>
        {start.isError && <ProblemAlert error={start.error} takesFocus />}
        {searches.isError && <ProblemAlert error={searches.error} onRetry={() => void searches.refetch()} />}
        {search && <Found migration={migration} search={search} object={object} count={count} />}
      </Stack>
    </Paper>
  );
}

function announcementOf(search: SearchSummary | undefined): string | null {
  if (isSearching(search)) return "Searching for duplicates";
  return search?.status === "done" ? `${formatCount(search.duplicates, "duplicate")} found` : null;
}

interface FoundProps extends DuplicateSearchProps {
  migration: Migration;
  search: SearchSummary;
}

function Found({ migration, search, object, count }: FoundProps) {
  if (search.status === "failed")
    return <FailureAlert title="The search failed" failure={search.failure} migration={migration} />;
  if (isSearching(search)) return <Searching search={search} object={object} count={count} />;
  const { clusters, duplicates, source_records: read, ignored, finished_at: finished } = search;
  return (
    <>
      <Text size="sm">
        {clusters === 0
          ? `No duplicates among ${formatNumber(read)} ${objectName(object).toLowerCase()}.`
          : `${formatCount(duplicates, "duplicate")} in ${formatCount(clusters, "cluster")}, among ` +
            `${formatNumber(read)} ${objectName(object).toLowerCase()}.`}{" "}
        {finished !== null && (
          <>
            Searched <Ago iso={finished} />.
          </>
        )}
      </Text>
      {ignored.length > 0 && (
        <Text size="sm" c="dimmed">
          Not used, because too many records share them: {ignored.map(({ value }) => value).join(", ")}.
        </Text>
      )}
      {clusters > 0 && <ClusterList id={migration.migration_id} object={object} since={finished ?? ""} />}
    </>
  );
}

function Searching({ search: { status, source_records: read }, object, count }: Omit<FoundProps, "migration">) {
  const of = count ? ` of ${formatNumber(count)}` : "";
  const words =
    status === "reading_here"
      ? "Comparing with what is here"
      : `Reading ${objectName(object).toLowerCase()}: ${formatNumber(read)}${of}`;
  const share = count ? Math.min(100, (100 * read) / count) : 100;
  return (
    <>
      <Progress value={status === "reading_here" ? 100 : share} animated aria-label="Progress of the search" />
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </>
  );
}
