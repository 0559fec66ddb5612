"use client";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { CLIENT_COLUMNS } from "@/components/settings/api/client-columns";
import { NoClients } from "@/components/settings/api/no-clients";
import { useClients } from "@/components/settings/api/use-clients";
import { LinkButton } from "@/components/ui/text/link-button";

/** Every API client of the organization, newest first; or what one is, and how to create the first. */
export function ClientList() {
  const query = useClients();
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const isEmpty = query.isSuccess && rows.length === 0;
  const hasFailed = query.isError && !query.isFetchNextPageError;
  return (
    <Page
      title="API clients"
      lead="Programs that work with this organization's records, each in the name of the people who allowed it."
      actions={!isEmpty && <LinkButton href="/settings/api/new">Create client</LinkButton>}
    >
      {query.isPending && <RowsSkeleton label="Loading API clients" />}
      {hasFailed && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {isEmpty && <NoClients />}
      {rows.length > 0 && (
        <PagedTable
          hasMany
          caption="API clients"
          columns={CLIENT_COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          query={query}
        />
      )}
    </Page>
  );
}
