import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/feedback/problem-alert";
import { formatCount } from "@/components/layout/format";
import { type Grant, revokedGrant } from "@/components/settings/allowed-apps/grant";

interface RemoveAccessDialogProps {
  opened: boolean;
  /** Which app it is about; null while it has never been opened. */
  grant: Grant | null;
  onClose: () => void;
  onRemoved: (tokensStopped: number) => void;
}

/** Asks before the access of an app is removed, and says what stops. Always there, so that on closing the focus goes back to where it came from. */
export function RemoveAccessDialog({ opened, grant, onClose, onRemoved }: RemoveAccessDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <>
          Remove the access of “<bdi>{grant?.client_name}</bdi>”?
        </>
      }
    >
      {grant && <Question grant={grant} onClose={onClose} onRemoved={onRemoved} />}
    </Modal>
  );
}

function Question({ grant, onClose, onRemoved }: Pick<RemoveAccessDialogProps, "onClose" | "onRemoved"> & { grant: Grant }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => sendJson("DELETE", `/settings/grants/${grant.id}`, undefined, revokedGrant),
    onSuccess: async ({ tokens_stopped }) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.grants() });
      onRemoved(tokens_stopped);
    },
  });
  return (
    <Stack>
      <Text size="sm">{whatStops(grant)} What it has done stays as it is.</Text>
      <Text size="sm">If it asks for access again, you can allow it again.</Text>
      {remove.isError && <ProblemAlert error={remove.error} takesFocus />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep access
        </Button>
        <Button color="rust" loading={remove.isPending} onClick={() => remove.mutate()}>
          Remove access
        </Button>
      </Group>
    </Stack>
  );
}

function whatStops({ live_tokens }: Grant): string {
  if (live_tokens === 0) return "It can no longer act in your name.";
  const tokens = live_tokens === 1 ? "Its access token stops" : `Its ${formatCount(live_tokens, "access token")} stop`;
  return `${tokens} working at once, and it can no longer act in your name.`;
}
