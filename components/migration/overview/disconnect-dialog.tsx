import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { Confirm } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { Connection, Disconnection } from "@/lib/migration/connections/connection-schema";

/** The name of an org, or its address if the name is unknown. */
export function nameOfOrg({ org_name, ext_instance_url }: Pick<Connection, "org_name" | "ext_instance_url">): string {
  return org_name ?? new URL(ext_instance_url).host;
}

interface DisconnectDialogProps {
  opened: boolean;
  /** The org to disconnect; null until the dialog is opened for the first time. */
  org: Connection | null;
  onClose: () => void;
  onDisconnected: (done: Disconnection) => void;
}

/**
 * Asks for confirmation before an org is disconnected, and says what stops. It stays mounted, so that the focus returns
 * to the button when it closes.
 */
export function DisconnectDialog({ opened, org, onClose, onDisconnected }: DisconnectDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={
        <>
          Disconnect “<bdi>{org && nameOfOrg(org)}</bdi>”?
        </>
      }
    >
      {org && <Question org={org} onClose={onClose} onDisconnected={onDisconnected} />}
    </Dialog>
  );
}

function Question({
  org,
  onClose,
  onDisconnected,
}: Pick<DisconnectDialogProps, "onClose" | "onDisconnected"> & { org: Connection }) {
  const disconnect = useMutation({
    mutationFn: () =>
      sendJson<Disconnection>("POST", `/migration/connections/${org.connection_id}/disconnect`, undefined),
    onSuccess: onDisconnected,
  });
  return (
    <Confirm
      mutation={disconnect}
      action="Disconnect"
      cancel="Keep it connected"
      onConfirm={() => disconnect.mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        {whatEnds(org)} {whatStops(org)}
      </Text>
      <Text size="sm">
        Migrations, their reports and every imported record stay. To migrate again, connect the org again as the same
        Salesforce user.
      </Text>
    </Confirm>
  );
}

function whatEnds({ renewable }: Connection): string {
  return renewable
    ? "The access of this service to the org is deleted here and revoked at Salesforce."
    : "The access token is deleted here and, where Salesforce allows it, revoked there. Any other program that uses " +
        "the same token then loses its access too.";
}

function whatStops({ migrations_under_way: count }: Connection): string {
  if (count === 0) return "";
  return count === 1 ? "The migration that is under way stops." : `The ${count} migrations that are under way stop.`;
}
