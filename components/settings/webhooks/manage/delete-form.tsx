"use client";

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useRef, useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatDeliveries } from "@/components/settings/webhooks/deliveries/format-deliveries";
import { webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { deletedWebhook, hostOf, nameOf } from "@/components/settings/webhooks/webhook";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Says what is lost, and asks for the endpoint's host before it. */
export function DeleteForm({ webhook, onCancel }: { webhook: Webhook; onCancel: () => void }) {
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const remove = useDelete(webhook);
  const host = hostOf(webhook);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed.trim() === host) return remove.mutate();
    setFault("That is not the endpoint's host. Type it as it stands above.");
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {remove.isError && <ProblemAlert error={remove.error} takesFocus />}
        <Text size="sm">
          No further delivery begins
          {webhook.pending_deliveries > 0 &&
            `, not even of what is pending (${formatDeliveries(webhook.pending_deliveries)})`}
          ; a request that is under way is not broken off. This cannot be undone.
        </Text>
        <TextInput
          ref={field}
          label={
            <>
              Type <b>{host}</b> to confirm
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
            Keep the webhook
          </Button>
          <Button type="submit" color="rust" loading={remove.isPending || remove.isSuccess}>
            Delete it for ever
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDelete(webhook: Webhook) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => sendJson("DELETE", webhookPath(webhook.id), undefined, deletedWebhook),
    onSuccess: () => {
      queries.removeQueries({ queryKey: queryKeys.webhooks() });
      notifications.show({
        title: `“${nameOf(webhook)}” is deleted`,
        message: "No further delivery begins; a request that is under way is not broken off.",
      });
      router.push("/settings/webhooks");
      router.refresh();
    },
  });
}
