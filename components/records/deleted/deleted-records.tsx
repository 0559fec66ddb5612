"use client";

import { NativeSelect } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMemo } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { columnsWith, type DeletedRow, keyOf } from "@/components/records/deleted/deleted-columns";
import { RestoreSelected } from "@/components/records/deleted/restore-selected";
import { useSelection } from "@/components/records/list/use-selection";
import { RECORD_NAMES } from "@/components/records/record-names";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadedCount } from "@/components/ui/feedback/loaded-count";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { useAddressFilter } from "@/components/ui/form/use-address-filter";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { formatCount } from "@/components/ui/text/format";
import { isResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Filter {
  /** The kind of records that is shown; empty for all. */
  kind: ResourceName | "";
}

const FILTER_FORM = {
  none: { kind: "" } satisfies Filter,
  read(search: URLSearchParams): Filter {
    const kind = search.get("kind") ?? "";
    return { kind: isResource(kind) ? kind : "" };
  },
  write: ({ kind }: Filter) => (kind ? `kind=${kind}` : ""),
};

/** What was deleted and can be restored, the latest first, narrowed to a kind by the page's address. */
export function DeletedRecords() {
  const { filter, change } = useAddressFilter<Filter>(FILTER_FORM);
  const { kind } = filter;
  const query = useList<DeletedRow>({
    queryKey: queryKeys.deletedRecords(kind),
    path: `/deleted_records${kind && `?objects=${kind}`}`,
    keepsPrevious: true,
  });
  const keyed = useMemo(() => query.data?.map((row) => ({ id: keyOf(row) })) ?? [], [query.data]);
  const selection = useSelection(keyed);
  return (
    <Page title="Deleted records" lead="A deleted record can be restored for 30 days, with all that went with it.">
      <KindSelect kind={kind} onChange={(next) => change({ kind: next })} />
      <LoadedCount query={query} format={(count) => formatCount(count, "deleted record")} />
      <Loaded query={query} loading="Loading deleted records" skeleton={TableSkeleton} empty={<Nothing kind={kind} />}>
        {(rows) => (
          <>
            <PagedTable
              caption="Deleted records"
              columns={columnsWith(rows, selection)}
              rows={rows}
              rowKey={keyOf}
              query={query}
            />
            <RestoreSelected rows={rows} selection={selection} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function KindSelect({ kind, onChange }: { kind: Filter["kind"]; onChange: (kind: Filter["kind"]) => void }) {
  return (
    <NativeSelect
      label="Kind"
      value={kind}
      maw={260}
      onChange={({ currentTarget: { value } }) => onChange(isResource(value) ? value : "")}
    >
      <option value="">All kinds</option>
      {Object.entries(RECORD_NAMES).map(([resource, { plural }]) => (
        <option key={resource} value={resource}>
          {plural}
        </option>
      ))}
    </NativeSelect>
  );
}

function Nothing({ kind }: Filter) {
  const those = kind ? RECORD_NAMES[kind].plural.toLowerCase() : "records";
  return (
    <EmptyList
      icon={IconTrash}
      title="Nothing to restore"
      description={`No ${those} were deleted in the last 30 days, or all of them are restored.`}
    />
  );
}
