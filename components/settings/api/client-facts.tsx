import { Paper } from "@mantine/core";

import { formatCount, formatMoment, formatNumber } from "@/components/ui/text/format";
import { LastUsed } from "@/components/settings/api/client-columns";
import { Copyable } from "@/components/ui/copy/copyable";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { WebhookLinks } from "@/components/settings/end-webhooks";
import { ScopeNames } from "@/components/settings/api/scope-names";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** What is known of a client and is not changed here. */
export function ClientFacts({ client }: { client: OauthClient }) {
  return (
    <Paper withBorder p="lg">
      <Facts>
        <Fact label="client_id">
          <Copyable text={client.client_id} what="client_id" />
        </Fact>
        <Fact label="Scopes">
          <ScopeNames scopes={client.scopes} />
        </Fact>
        <Fact label="Created">
          {formatMoment(client.created_at)}
          {client.created_by && ` by ${client.created_by}`}
        </Fact>
        <Fact label="Last used">
          <LastUsed at={client.last_used_at} />
          {client.last_used_at && `, ${formatMoment(client.last_used_at)}`}
        </Fact>
        <Fact label="Live access tokens">{formatNumber(client.live_tokens)}</Fact>
        <Fact label="Webhooks">
          <WebhookLinks webhooks={client.webhooks} />
        </Fact>
        <Fact label="Allowed by">{client.allowed_by === 0 ? "nobody yet" : formatPeople(client.allowed_by)}</Fact>
      </Facts>
    </Paper>
  );
}

/** "1 person", "3 people". */
export function formatPeople(count: number): string {
  return count === 1 ? formatCount(1, "person") : `${formatNumber(count)} people`;
}
