"use client";

import { Stack } from "@mantine/core";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Page } from "@/components/ui/layout/page";
import { ClientFacts } from "@/components/settings/api/client-facts";
import { ClientExample } from "@/components/settings/api/example/client-example";
import { EditForm } from "@/components/settings/api/form/edit-form";
import { RevokeClient } from "@/components/settings/api/revoke-client";
import { ClientSecrets } from "@/components/settings/api/secret/client-secrets";
import { useClient } from "@/components/settings/api/use-clients";
import { TextLink } from "@/components/ui/text/text-link";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** One API client: what it is, and everything that can be done with it. */
export function ClientDetail({ id, service }: { id: string; service: string }) {
  const query = useClient(id);
  return (
    <Page
      title={query.data?.name ?? "API client"}
      above={
        <TextLink href="/settings/api" size="sm">
          API clients
        </TextLink>
      }
    >
      {query.isPending && <RowsSkeleton label="Loading the API client" />}
      {query.isError && (
        <ProblemAlert
          error={query.error}
          onRetry={() => void query.refetch()}
          list={{ href: "/settings/api", name: "All API clients" }}
        />
      )}
      {query.data && !query.isError && <Sections client={query.data} service={service} />}
    </Page>
  );
}

function Sections({ client, service }: { client: OauthClient; service: string }) {
  const { client_id: clientId, redirect_uris, scopes } = client;
  return (
    <>
      <ClientFacts client={client} />
      <EditForm client={client} />
      <ClientSecrets client={client} />
      <Disclosure title="Example in bash and Node">
        <Stack>
          <ClientExample
            example={{ service, clientId, clientSecret: null, redirectUri: redirect_uris[0] ?? "", scopes }}
          />
        </Stack>
      </Disclosure>
      <RevokeClient client={client} />
    </>
  );
}
