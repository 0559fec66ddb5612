import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/feedback/problem-alert";
import { formatCount } from "@/components/layout/format";
import { type Grant, revokedGrant } from "@/components/settings/allowed-apps/grant";

interface RemoveAccessDialogProps {
  grant: Grant;
  onClose: () => void;
  onRemoved: (tokensStopped: number) => void;
}

/** Asks before the access of an app is removed, and says what stops. */
export function RemoveAccessDialog({ grant, onClose, onRemoved }: RemoveAccessDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => sendJson("DELETE", `/settings/grants/${grant.id}`, undefined, revokedGrant),
    onSuccess: async ({ tokens_stopped }) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.grants() });
      onRemoved(tokens_stopped);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      title={
        <>
          Remove the access of “<bdi>{grant.client_name}</bdi>”?
        </>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
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
    </Modal>
  );
}

function whatStops({ live_tokens }: Grant): string {
  if (live_tokens === 0) return "It can no longer act in your name.";
  const tokens = live_tokens === 1 ? "Its access token stops" : `Its ${formatCount(live_tokens, "access token")} stop`;
  return `${tokens} working at once, and it can no longer act in your name.`;
}
