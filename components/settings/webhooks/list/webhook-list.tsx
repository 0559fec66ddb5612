"use client";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { NoWebhooks } from "@/components/settings/webhooks/list/no-webhooks";
import { useWebhooks } from "@/components/settings/webhooks/use-webhooks";
import { WEBHOOK_COLUMNS } from "@/components/settings/webhooks/list/webhook-columns";
import { LinkButton } from "@/components/ui/text/link-button";

/** Every webhook of the organization with its health, newest first; or what one is for, and how to create the first. */
export function WebhookList() {
  const query = useWebhooks();
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const isEmpty = query.isSuccess && rows.length === 0;
  const hasFailed = query.isError && !query.isFetchNextPageError;
  return (
    <Page
      title="Webhooks"
      lead="Other systems that are told of events here as they happen."
      actions={!isEmpty && <LinkButton href="/settings/webhooks/new">Create webhook</LinkButton>}
    >
      {query.isPending && <RowsSkeleton label="Loading webhooks" />}
      {hasFailed && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {isEmpty && <NoWebhooks />}
      {rows.length > 0 && (
        <PagedTable
          hasMany
          caption="Webhooks"
          columns={WEBHOOK_COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          query={query}
        />
      )}
    </Page>
  );
}
