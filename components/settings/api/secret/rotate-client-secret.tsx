"use client";

import { Button, Group, Radio, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { sendJson } from "@/components/api/request";
import { clientPath, cacheClient } from "@/components/settings/api/use-clients";
import { NewSecret } from "@/components/ui/copy/new-secret";
import { SecretDialog } from "@/components/ui/overlay/secret-dialog";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { useHeldOpen } from "@/components/ui/overlay/dialog";
import type { OauthClientWithSecret } from "@/lib/oauth/clients/client-schema";

/** The choices for how long the old secret stays valid. */
const OVERLAPS = [
  { hours: 0, label: "Not at all", description: "It stops at once. For a secret that others may know." },
  { hours: 1, label: "1 hour" },
  { hours: 24, label: "24 hours" },
  { hours: 7 * 24, label: "7 days" },
];
const DEFAULT_HOURS = 24;

interface RotateClientSecretProps {
  id: string;
  opened: boolean;
  onClose: () => void;
}

/** Makes a new secret and shows it once. */
export function RotateClientSecret({ id, opened, onClose }: RotateClientSecretProps) {
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: (overlap_hours: number) =>
      sendJson<OauthClientWithSecret>("POST", `${clientPath(id)}/rotate_secret`, { overlap_hours }),
    onSuccess: (client) => cacheClient(queries, client),
  });
  const secret = rotate.data?.client_secret;
  return (
    <SecretDialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={rotate.reset}
      title={secret ? "The new client secret" : "Rotate the client secret"}
      showsSecret={Boolean(secret)}
      size="xl"
    >
      {secret ? (
        <Stack>
          <NewSecret secret={secret} what="client secret">
            the service stores only a digest of it. If it gets lost, rotate again.
          </NewSecret>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          {rotate.isError && <ProblemAlert error={rotate.error} takesFocus />}
          <Choice isBusy={rotate.isPending} onChoose={rotate.mutate} onClose={onClose} />
        </Stack>
      )}
    </SecretDialog>
  );
}

interface ChoiceProps {
  isBusy: boolean;
  onChoose: (hours: number) => void;
  onClose: () => void;
}

function Choice({ isBusy, onChoose, onClose }: ChoiceProps) {
  const [hours, setHours] = useState(String(DEFAULT_HOURS));
  useHeldOpen(isBusy);
  return (
    <Stack gap="lg">
      <Radio.Group
        label="How long may the old secret go on working?"
        description="Long enough to put the new one everywhere the program runs. Access tokens are not touched."
        value={hours}
        onChange={setHours}
      >
        <Stack gap="sm" mt="sm">
          {OVERLAPS.map((overlap) => (
            <Radio
              key={overlap.hours}
              value={String(overlap.hours)}
              label={overlap.label}
              description={overlap.description}
              data-autofocus={overlap.hours === DEFAULT_HOURS || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        <Button variant="default" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isBusy} onClick={() => onChoose(Number(hours))}>
          Make a new secret
        </Button>
      </Group>
    </Stack>
  );
}
