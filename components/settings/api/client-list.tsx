"use client";

import { IconKey } from "@tabler/icons-react";

import { CLIENT_COLUMNS } from "@/components/settings/api/client-columns";
import { useClients } from "@/components/settings/api/use-clients";
import { SETTINGS } from "@/components/settings/settings-links";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { LinkButton, TextLink } from "@/components/ui/text/links";

/** The API clients of the organization, newest first; without any, what one is and how to create it. */
export function ClientList() {
  const query = useClients();
  const isEmpty = query.isSuccess && query.data.length === 0;
  return (
    <Page
      title="API clients"
      parent={SETTINGS}
      lead={
        <>
          Programs that work with this organization's records, each in the name of the people who allowed it. What they
          can do is in the{" "}
          <TextLink href="/docs" underline="always" inherit>
            API reference
          </TextLink>
          .
        </>
      }
      actions={!isEmpty && <LinkButton href="/settings/api/new">Create client</LinkButton>}
    >
      <Loaded query={query} loading="Loading API clients" skeleton={TableSkeleton} empty={<NoClients />}>
        {(rows) => (
          <PagedTable
            hasMany
            caption="API clients"
            columns={CLIENT_COLUMNS}
            rows={rows}
            rowKey={(row) => row.id}
            query={query}
          />
        )}
      </Loaded>
    </Page>
  );
}

function NoClients() {
  return (
    <EmptyList
      icon={IconKey}
      title="No API clients yet"
      description={
        "An API client lets a program of yours, or one that you trust, use the API. It gets a client_id and a client " +
        "secret; each person decides for themselves whether it may act in their name."
      }
    >
      <LinkButton href="/settings/api/new">Create client</LinkButton>
    </EmptyList>
  );
}
