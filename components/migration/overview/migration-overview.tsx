"use client";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { ConnectedOrgs } from "@/components/migration/overview/connected-orgs";
import { FirstMigration } from "@/components/migration/overview/first-migration";
import { MIGRATION_COLUMNS } from "@/components/migration/overview/migration-columns";
import { LinkButton } from "@/components/ui/text/links";
import type { Migration } from "@/lib/migration/migration-schema";

const REFETCH_MS = 5000;

/** All migrations of the organization, newest first, or an introduction if there is none. */
export function MigrationOverview() {
  const query = useList<Migration>({
    queryKey: queryKeys.migrations(),
    path: "/migration",
    refetchEvery: () => REFETCH_MS,
  });
  if (query.isSuccess && query.data.length === 0) return <FirstMigration />;
  return (
    <Page
      title="Migrations"
      lead="From Salesforce orgs into this service."
      actions={<LinkButton href="/migration/new">Start a new migration</LinkButton>}
    >
      <Loaded query={query} loading="Loading migrations" skeleton={TableSkeleton}>
        {(rows) => (
          <PagedTable
            caption="Migrations"
            columns={MIGRATION_COLUMNS}
            rows={rows}
            rowKey={(row) => row.migration_id}
            query={query}
          />
        )}
      </Loaded>
      <ConnectedOrgs />
    </Page>
  );
}
