"use client";

import { Anchor, Group, Paper, Stack, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";

import { ClientExample } from "@/components/settings/api/example/client-example";
import { ConnectAssistant } from "@/components/settings/api/mcp/connect-assistant";
import { ScopeNames } from "@/components/settings/api/scope-names";
import { UriList } from "@/components/settings/api/uri-list";
import { Copyable } from "@/components/ui/copy/copyable";
import { NewSecret } from "@/components/ui/copy/new-secret";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Page } from "@/components/ui/layout/page";
import { LinkButton } from "@/components/ui/text/links";
import type { OauthClientWithSecret } from "@/lib/oauth/clients/client-schema";

/** What a program needs to know of a new client. The secret is shown here and never again. */
export function CreatedClient({ client, service }: { client: OauthClientWithSecret; service: string }) {
  const { client_id, client_secret, redirect_uris, scopes } = client;
  return (
    <Page
      title={client.name}
      lead={
        <>
          The API client is created. The API reference says how it <TokenLink />.
        </>
      }
      parent={{ href: "/settings/api", name: "API clients" }}
    >
      <NewSecret secret={client_secret} what="client secret">
        the service stores only a digest of it. If it gets lost, make a new one on the client's page.
      </NewSecret>
      <Paper withBorder p="lg">
        <Facts>
          <Fact label="client_id">
            <Copyable text={client_id} what="client_id" />
          </Fact>
          <Fact label="Scopes">
            <ScopeNames scopes={scopes} />
          </Fact>
          <Fact label="Redirect URIs">
            <UriList uris={redirect_uris} />
          </Fact>
        </Facts>
      </Paper>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2}>Try it</Title>
          <ClientExample
            example={{
              service,
              clientId: client_id,
              clientSecret: client_secret,
              redirectUri: redirect_uris[0] ?? "",
              scopes,
            }}
          />
        </Stack>
      </Paper>
      <ConnectAssistant client={client} service={service} />
      <Group justify="flex-end">
        <LinkButton href="/settings/api">Done</LinkButton>
      </Group>
    </Page>
  );
}

/** It opens a new tab: this page alone shows the secret. */
function TokenLink() {
  return (
    <Anchor href="/docs/sign-in" target="_blank" underline="always" inherit>
      gets an access token <IconExternalLink size={14} aria-label="(in a new tab)" />
    </Anchor>
  );
}
