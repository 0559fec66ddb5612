"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatMoment } from "@/components/ui/text/format";
import { clientPath, keepClient } from "@/components/settings/api/use-clients";
import { type OauthClient, oauthClient } from "@/lib/oauth/clients/client-schema";

interface EndSecretProps {
  clientId: string;
  /** The old secret in question; null while the dialog is closed. */
  secret: OauthClient["secrets"][number] | null;
  onClose: () => void;
  /** After the dialog is gone, and with it the button that had opened it. */
  onEnded: () => void;
}

/** Asks once more before an old secret stops working sooner than it was to. */
export function EndSecret({ clientId, secret, onClose, onEnded }: EndSecretProps) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string) => sendJson("DELETE", `${clientPath(clientId)}/secrets/${id}`, undefined, oauthClient),
    onSuccess: (client) => {
      keepClient(queries, client);
      onClose();
    },
  });
  const afterwards = () => {
    if (end.isSuccess) onEnded();
    end.reset();
  };
  return (
    <Modal opened={secret !== null} onClose={onClose} onExitTransitionEnd={afterwards} title="End the old secret now?">
      <Stack>
        {end.isError && <ProblemAlert error={end.error} takesFocus />}
        <Text size="sm">
          A program that still uses it gets no more access tokens from now on
          {secret?.expires_at ? `, instead of from ${formatMoment(secret.expires_at)}` : ""}. Access tokens that it has
          are not touched.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="rust" loading={end.isPending} onClick={() => secret && end.mutate(secret.id)}>
            End the old secret
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
