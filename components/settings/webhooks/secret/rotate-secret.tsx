"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { NewSecret } from "@/components/ui/copy/new-secret";
import { RotateForm } from "@/components/settings/webhooks/secret/rotate-form";
import { keepWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { webhook, type WebhookWithSecret, webhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

interface RotateSecretProps {
  id: string;
  /** There is a secret, which is replaced. */
  isSigned: boolean;
  /** Until when the secret before the current one signs too. */
  previousUntil: string | null;
  opened: boolean;
  onClose: () => void;
}

/**
 * Replaces the secret. A generated one is shown, once: then only its buttons close the dialog, not a stray click or
 * key.
 */
export function RotateSecret({ id, isSigned, previousUntil, opened, onClose }: RotateSecretProps) {
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: (own: string | null) =>
      sendJson("POST", `${webhookPath(id)}/rotate_secret`, own === null ? {} : { secret: own }, webhookWithSecret),
    onSuccess: (changed) => keepWebhook(queries, webhook.parse(changed)),
  });
  const isShown = Boolean(rotate.data?.secret);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={rotate.reset}
      title={rotate.data ? "The new secret" : isSigned ? "Rotate the secret" : "Add a secret"}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      size="xl"
    >
      {rotate.data ? (
        <Rotated changed={rotate.data} onClose={onClose} />
      ) : (
        <RotateForm
          isSigned={isSigned}
          previousUntil={previousUntil}
          isBusy={rotate.isPending}
          error={rotate.error}
          onRotate={rotate.mutate}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

function Rotated({
  changed: { secret, previous_secret_expires_at: until },
  onClose,
}: {
  changed: WebhookWithSecret;
  onClose: () => void;
}) {
  return (
    <Stack>
      {secret && (
        <NewSecret secret={secret} what="secret">
          the service keeps it encrypted, to sign with, and never gives it out again. If it gets lost, rotate again.
        </NewSecret>
      )}
      <Text size="sm">
        Deliveries are signed with it from now on.
        {until && " For 24 hours the old one signs too: until then receivers that know either of them verify."}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus={!secret || undefined}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
