"use client";

import { Stack } from "@mantine/core";

import { ClientFacts } from "@/components/settings/api/client-facts";
import { ClientExample } from "@/components/settings/api/example/client-example";
import { EditClient } from "@/components/settings/api/form/edit-client";
import { ConnectAssistant } from "@/components/settings/api/mcp/connect-assistant";
import { RevokeClient } from "@/components/settings/api/revoke-client";
import { ClientSecrets } from "@/components/settings/api/secret/client-secrets";
import { useClient } from "@/components/settings/api/use-clients";
import { Loaded } from "@/components/ui/feedback/loaded";
import { FieldsSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Page } from "@/components/ui/layout/page";
import { TextLink } from "@/components/ui/text/links";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** One API client: what it is, and everything that can be done with it. */
export function ClientDetail({ id, service }: { id: string; service: string }) {
  const query = useClient(id);
  return (
    <Page
      title={query.data?.name ?? "API client"}
      parent={{ href: "/settings/api", name: "API clients" }}
      lead={
        <>
          The API reference says how a program{" "}
          <TextLink href="/docs/sign-in" underline="always" inherit>
            gets an access token
          </TextLink>
          .
        </>
      }
    >
      <Loaded
        query={query}
        loading="Loading the API client"
        skeleton={FieldsSkeleton}
        list={{ href: "/settings/api", name: "All API clients" }}
      >
        {(client) => <Sections client={client} service={service} />}
      </Loaded>
    </Page>
  );
}

function Sections({ client, service }: { client: OauthClient; service: string }) {
  const { client_id: clientId, redirect_uris, scopes } = client;
  return (
    <>
      <ClientFacts client={client} />
      <EditClient client={client} />
      <ClientSecrets client={client} />
      <Disclosure title="Example in bash and Node">
        <Stack py="md" px={{ base: 0, sm: "xs" }}>
          <ClientExample
            example={{ service, clientId, clientSecret: null, redirectUri: redirect_uris[0] ?? "", scopes }}
          />
        </Stack>
      </Disclosure>
      <ConnectAssistant client={client} service={service} />
      <RevokeClient client={client} />
    </>
  );
}
