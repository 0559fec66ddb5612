import { Paper } from "@mantine/core";

import { ScopeNames } from "@/components/settings/api/scope-names";
import { WebhookLinks } from "@/components/settings/end-webhooks";
import { Copyable } from "@/components/ui/copy/copyable";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Ago } from "@/components/ui/text/ago";
import { formatCount, formatMoment, formatNumber } from "@/components/ui/text/format";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** What a client is and does; none of it can be changed here. */
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
          <Ago iso={client.last_used_at} />
          {client.last_used_at && `, ${formatMoment(client.last_used_at)}`}
        </Fact>
        <Fact label="Access tokens in use">{formatNumber(client.live_tokens)}</Fact>
        <Fact label="Webhooks">
          <WebhookLinks webhooks={client.webhooks} />
        </Fact>
        <Fact label="Allowed by">
          {client.allowed_by === 0 ? "nobody yet" : formatCount(client.allowed_by, "person", "people")}
        </Fact>
      </Facts>
    </Paper>
  );
}
