"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { cacheClient, clientPath } from "@/components/settings/api/use-clients";
import { Confirm } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatMoment } from "@/components/ui/text/format";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

interface EndSecretProps {
  opened: boolean;
  clientId: string;
  /** The old secret in question; null until the dialog is opened. */
  secret: OauthClient["secrets"][number] | null;
  onClose: () => void;
}

/**
 * Asks before an old secret stops working earlier than planned. Always mounted, so that on closing the focus returns to
 * where it was.
 */
export function EndSecret({ opened, clientId, secret, onClose }: EndSecretProps) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string) => sendJson<OauthClient>("DELETE", `${clientPath(clientId)}/secrets/${id}`, undefined),
    onSuccess: async (client) => {
      await cacheClient(queries, client);
      onClose();
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} onExitTransitionEnd={end.reset} title="End the old secret now?">
      <Confirm
        mutation={end}
        action="End the old secret"
        cancel="Keep it"
        onConfirm={() => secret && end.mutate(secret.id)}
        onCancel={onClose}
      >
        <Text size="sm">
          A program that still uses it gets no more access tokens from now on
          {secret?.expires_at ? `, instead of from ${formatMoment(secret.expires_at)}` : ""}. Access tokens that it has
          are not touched.
        </Text>
      </Confirm>
    </Dialog>
  );
}
