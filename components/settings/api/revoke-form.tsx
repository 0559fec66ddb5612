"use client";

import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useRef, useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { LastUsed } from "@/components/settings/api/client-columns";
import { formatPeople } from "@/components/settings/api/client-facts";
import { clientPath, clientQuery } from "@/components/settings/api/use-clients";
import { EndWebhooks, whatEnded } from "@/components/settings/end-webhooks";
import { endedAppAccess, type OauthClient } from "@/lib/oauth/clients/client-schema";

/**
 * Says what a revocation will stop, with the numbers of this moment: those of the page may be some minutes old. Asks
 * for the client's name before it.
 */
export function RevokeForm({ client: shown, onCancel }: { client: OauthClient; onCancel: () => void }) {
  const { data: client = shown } = useQuery({ ...clientQuery(shown.id), staleTime: 0 });
  const [endsWebhooks, setEndsWebhooks] = useState(true);
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const revoke = useRevoke(client);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed.trim() === client.name) return revoke.mutate({ endsWebhooks });
    setFault("That is not the client's name. Type it as it stands above.");
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {revoke.isError && <ProblemAlert error={revoke.error} takesFocus />}
        <Consequences client={client} />
        <EndWebhooks webhooks={client.webhooks} isChecked={endsWebhooks} onChange={setEndsWebhooks} />
        <TextInput
          ref={field}
          label={
            <>
              Type <b>{client.name}</b> to confirm
            </>
          }
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setFault(null);
          }}
          error={fault}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Keep the client
          </Button>
          <Button type="submit" color="rust" loading={revoke.isPending || revoke.isSuccess}>
            Revoke it for ever
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Consequences({ client: data }: { client: OauthClient }) {
  return (
    <>
      <List size="sm" spacing={6}>
        <List.Item>
          {data.live_tokens === 0
            ? "It has no live access token"
            : `${formatCount(data.live_tokens, "live access token")} will stop working`}
        </List.Item>
        <List.Item>
          {data.allowed_by === 0
            ? "Nobody has allowed it yet"
            : `${formatPeople(data.allowed_by)} allowed it to act in their name`}
        </List.Item>
        <List.Item>
          Last used: <LastUsed at={data.last_used_at} />
        </List.Item>
      </List>
      <Text size="sm">
        This cannot be undone. A new client gets another client_id and secret, and people have to allow it anew.
      </Text>
    </>
  );
}

function whatStopped(tokens: number): string {
  return tokens === 0 ? "It had no live access token." : `${formatCount(tokens, "access token")} stopped working.`;
}

function useRevoke(client: OauthClient) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ endsWebhooks }: { endsWebhooks: boolean }) =>
      sendJson(
        "DELETE",
        `${clientPath(client.id)}?webhooks=${endsWebhooks ? "switch_off" : "keep"}`,
        undefined,
        endedAppAccess,
      ),
    onSuccess: (ended) => {
      queries.removeQueries({ queryKey: queryKeys.apiClients() });
      void queries.invalidateQueries({ queryKey: queryKeys.webhooks() });
      notifications.show({
        title: `“${client.name}” is revoked`,
        message: `${whatStopped(ended.tokens_stopped)}${whatEnded(ended)}`,
      });
      router.push("/settings/api");
    },
  });
}
