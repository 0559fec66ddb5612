"use client";

import { List, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { clientPath, clientQuery } from "@/components/settings/api/use-clients";
import { EndWebhooks, whatEnded } from "@/components/settings/end-webhooks";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { Ago } from "@/components/ui/text/ago";
import { formatCount } from "@/components/ui/text/format";
import type { EndedAppAccess, OauthClient } from "@/lib/oauth/clients/client-schema";

/**
 * Says what a revocation will stop, and asks for the client's name before it. The numbers are read again, since those
 * of the page may be minutes old.
 */
export function RevokeForm({ client: shown, onCancel }: { client: OauthClient; onCancel: () => void }) {
  const revoke = useRevoke(shown);
  const { data: client = shown } = useQuery({ ...clientQuery(shown.id), staleTime: 0, enabled: !revoke.isSuccess });
  const [endsWebhooks, setEndsWebhooks] = useState(true);
  return (
    <ConfirmByTyping
      mutation={revoke}
      expected={client.name}
      what="the client's name"
      action="Revoke it for ever"
      cancel="Keep the client"
      onConfirm={() => revoke.mutate({ endsWebhooks })}
      onCancel={onCancel}
    >
      <Consequences client={client} />
      <EndWebhooks webhooks={client.webhooks} isChecked={endsWebhooks} onChange={setEndsWebhooks} />
    </ConfirmByTyping>
  );
}

function Consequences({ client: { live_tokens, allowed_by, last_used_at } }: { client: OauthClient }) {
  return (
    <>
      <List size="sm" spacing={6}>
        <List.Item>
          {live_tokens === 0
            ? "It has no live access token"
            : `${formatCount(live_tokens, "live access token")} will stop working`}
        </List.Item>
        <List.Item>
          {allowed_by === 0
            ? "Nobody has allowed it yet"
            : `${formatCount(allowed_by, "person", "people")} allowed it to act in their name`}
        </List.Item>
        <List.Item>
          Last used: <Ago iso={last_used_at} />
        </List.Item>
      </List>
      <Text size="sm">
        This cannot be undone. A new client gets another client_id and secret, and people have to allow it again.
      </Text>
    </>
  );
}

function useRevoke(client: OauthClient) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ endsWebhooks }: { endsWebhooks: boolean }) =>
      sendJson<EndedAppAccess>(
        "DELETE",
        `${clientPath(client.id)}?webhooks=${endsWebhooks ? "switch_off" : "keep"}`,
        undefined,
      ),
    onSuccess: (ended) => {
      router.push("/settings/api");
      queries.removeQueries({ queryKey: queryKeys.apiClients() });
      queries.removeQueries({ queryKey: queryKeys.apiClient(client.id) });
      for (const queryKey of [queryKeys.webhooks(), ["webhook"]]) void queries.invalidateQueries({ queryKey });
      notifications.show({
        title: `“${client.name}” is revoked`,
        message: `${tokensStopped(ended.tokens_stopped)}${whatEnded(ended)}`,
      });
    },
  });
}

function tokensStopped(count: number): string {
  return count === 0 ? "It had no live access token." : `${formatCount(count, "access token")} stopped working.`;
}
