"use client";

import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { hostOf, nameOf } from "@/components/settings/webhooks/webhook";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { formatCount } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Says what is lost, and asks for the endpoint's host before it. */
export function DeleteForm({ webhook, onCancel }: { webhook: Webhook; onCancel: () => void }) {
  const remove = useDelete(webhook);
  const { pending_deliveries: pending } = webhook;
  return (
    <ConfirmByTyping
      mutation={remove}
      expected={hostOf(webhook)}
      what="the endpoint's host"
      action="Delete it for ever"
      cancel="Keep the webhook"
      onConfirm={() => remove.mutate()}
      onCancel={onCancel}
    >
      <Text size="sm">
        No further delivery begins
        {pending > 0 && `, not even of what is pending (${formatCount(pending, "delivery", "deliveries")})`}; a request
        that is under way is not broken off. This cannot be undone.
      </Text>
    </ConfirmByTyping>
  );
}

function useDelete(webhook: Webhook) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => sendJson("DELETE", webhookPath(webhook.id), undefined),
    onSuccess: () => {
      router.push("/settings/webhooks");
      queries.removeQueries({ queryKey: queryKeys.webhooks() });
      queries.removeQueries({ queryKey: queryKeys.webhook(webhook.id) });
      notifications.show({
        title: `“${nameOf(webhook)}” is deleted`,
        message: "No further delivery begins; a request that is under way is not broken off.",
      });
      router.refresh();
    },
  });
}
