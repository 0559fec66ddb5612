"use client";

import { Text } from "@mantine/core";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { NoRecords } from "@/components/records/list/no-records";
import { recordColumns } from "@/components/records/list/record-table-columns";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useRecords } from "@/components/records/list/use-records";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A list of one kind of record with a button for more. `filter` narrows it: `account_id=…`. */
export function RecordList({ resource, filter }: { resource: ResourceName; filter: string }) {
  const records = useRecords(resource, filter);
  const rows = records.data?.pages.flatMap((page) => page.data) ?? [];
  const names = RECORD_NAMES[resource];

  if (records.isPending) return <RowsSkeleton label={`Loading ${names.plural.toLowerCase()}`} />;
  if (records.isError && rows.length === 0)
    return <ProblemAlert error={records.error} onRetry={() => void records.refetch()} />;
  if (rows.length === 0) return <NoRecords resource={resource} isFiltered={filter !== ""} />;
  return (
    <PagedTable
      caption={names.plural}
      columns={recordColumns(resource)}
      rows={rows}
      rowKey={(row) => row.id}
      query={records}
      end={
        <Text size="sm" c="dimmed">
          {rows.length === 1 ? "That is the only one." : `That is all of them: ${rows.length}.`}
        </Text>
      }
    />
  );
}
