import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import type { Grant } from "@/components/settings/allowed-apps/grant";
import { EndWebhooks } from "@/components/settings/end-webhooks";
import { Confirm } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount } from "@/components/ui/text/format";
import type { EndedAppAccess } from "@/lib/oauth/clients/client-schema";

interface RemoveAccessDialogProps {
  opened: boolean;
  /** The app in question; null until the dialog is opened. */
  grant: Grant | null;
  onClose: () => void;
  onRemoved: (ended: EndedAppAccess) => void;
}

/**
 * Asks before the access of an app is removed, and says what stops. Always mounted, so that on closing the focus
 * returns to where it was.
 */
export function RemoveAccessDialog({ opened, grant, onClose, onRemoved }: RemoveAccessDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={
        <>
          Remove the access of “<bdi>{grant?.client_name}</bdi>”?
        </>
      }
    >
      {grant && <Question grant={grant} onClose={onClose} onRemoved={onRemoved} />}
    </Dialog>
  );
}

function Question({
  grant,
  onClose,
  onRemoved,
}: Pick<RemoveAccessDialogProps, "onClose" | "onRemoved"> & { grant: Grant }) {
  const queryClient = useQueryClient();
  const [endsWebhooks, setEndsWebhooks] = useState(true);
  const remove = useMutation({
    mutationFn: () =>
      sendJson<EndedAppAccess>(
        "DELETE",
        `/settings/grants/${grant.id}?webhooks=${endsWebhooks ? "switch_off" : "keep"}`,
        undefined,
      ),
    onSuccess: async (ended) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks() });
      await queryClient.invalidateQueries({ queryKey: queryKeys.grants() });
      onRemoved(ended);
    },
  });
  return (
    <Confirm
      mutation={remove}
      action="Remove access"
      cancel="Keep access"
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <Text size="sm">{whatStops(grant)} Its changes to records stay.</Text>
      <Text size="sm">If it asks for access again, you can allow it again.</Text>
      <EndWebhooks webhooks={grant.webhooks} isChecked={endsWebhooks} onChange={setEndsWebhooks} />
    </Confirm>
  );
}

function whatStops({ live_tokens }: Grant): string {
  if (live_tokens === 0) return "It can no longer act in your name.";
  const tokens = live_tokens === 1 ? "Its access token stops" : `Its ${formatCount(live_tokens, "access token")} stop`;
  return `${tokens} working at once, and it can no longer act in your name.`;
}
