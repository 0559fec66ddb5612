"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { RotateForm } from "@/components/settings/webhooks/secret/rotate-form";
import { cacheWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { NewSecret } from "@/components/ui/copy/new-secret";
import { SecretDialog } from "@/components/ui/overlay/secret-dialog";
import type { WebhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

interface RotateWebhookSecretProps {
  id: string;
  /** Whether there is a secret to replace. */
  isSigned: boolean;
  /** Until when the previous secret signs too. */
  previousUntil: string | null;
  opened: boolean;
  onClose: () => void;
}

/** Replaces the secret, or adds one. A generated secret is shown once. */
export function RotateWebhookSecret({ id, isSigned, previousUntil, opened, onClose }: RotateWebhookSecretProps) {
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: (own: string | null) =>
      sendJson<WebhookWithSecret>("POST", `${webhookPath(id)}/rotate_secret`, own === null ? {} : { secret: own }),
    onSuccess: (changed) => cacheWebhook(queries, changed),
  });
  return (
    <SecretDialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={rotate.reset}
      title={rotate.data ? "The new secret" : isSigned ? "Rotate the secret" : "Add a secret"}
      showsSecret={Boolean(rotate.data?.secret)}
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
    </SecretDialog>
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
          the service stores it encrypted, to sign with, and never shows it again. If it gets lost, rotate again.
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
