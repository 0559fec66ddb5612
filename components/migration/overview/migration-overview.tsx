"use client";

import { useInfiniteQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { ConnectedOrgs } from "@/components/migration/overview/connected-orgs";
import { FirstMigration } from "@/components/migration/overview/first-migration";
import { MIGRATION_COLUMNS } from "@/components/migration/overview/migration-columns";
import { LinkButton } from "@/components/ui/text/link-button";
import { migration } from "@/lib/migration/migration-schema";

const migrationPage = pageOf(migration);
const REFRESH_MS = 5000;

/** All migrations of the organization, newest first, or an introduction if there is none. */
export function MigrationOverview() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.migrations(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/migration${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, migrationPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  if (query.isSuccess && rows.length === 0) return <FirstMigration />;
  return (
    <Page
      title="Migrations"
      lead="From Salesforce orgs into this service."
      actions={<LinkButton href="/migration/new">Start a new migration</LinkButton>}
    >
      {query.isPending && <RowsSkeleton label="Loading migrations" />}
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {rows.length > 0 && (
        <PagedTable
          caption="Migrations"
          columns={MIGRATION_COLUMNS}
          rows={rows}
          rowKey={(row) => row.migration_id}
          query={query}
        />
      )}
      <ConnectedOrgs />
    </Page>
  );
}
