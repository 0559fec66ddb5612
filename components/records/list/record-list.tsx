"use client";

import { Text } from "@mantine/core";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { NoRecords } from "@/components/records/list/no-records";
import { recordColumns } from "@/components/records/list/record-columns";
import { record } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { PagedTable } from "@/components/ui/layout/paged-table";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The records of one kind, newest first. `filter` is a query that narrows the list, "account_id=…", or empty. */
export function RecordList({ resource, filter }: { resource: ResourceName; filter: string }) {
  const query = useList({
    queryKey: queryKeys.records(resource, filter),
    path: `/${resource}${filter && `?${filter}`}`,
    item: record,
  });
  const { plural } = RECORD_NAMES[resource];
  return (
    <Loaded
      query={query}
      loading={`Loading ${plural.toLowerCase()}`}
      empty={<NoRecords resource={resource} isFiltered={filter !== ""} />}
    >
      {(rows) => (
        <PagedTable
          caption={plural}
          columns={recordColumns(resource)}
          rows={rows}
          rowKey={(row) => row.id}
          query={query}
          end={
            <Text size="sm" c="dimmed">
              {rows.length === 1 ? "That is the only one." : `That is all of them: ${rows.length}.`}
            </Text>
          }
        />
      )}
    </Loaded>
  );
}
