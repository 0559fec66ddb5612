import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { plainAddress } from "@/components/settings/audit-log/audit-event";
import { Confirm } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { OwnSession } from "@/lib/sessions/schemas";

interface Ended {
  /** Not said of a single one. */
  sessions_ended?: number;
}

/** One session, or all but this one. */
export type SessionTarget = OwnSession | "others";

interface EndSessionsProps {
  opened: boolean;
  /** Null until the dialog is opened. */
  target: SessionTarget | null;
  onClose: () => void;
  /** Gets the number of sessions that ended. */
  onEnded: (count: number) => void;
}

/** Asks before browsers are signed out. Always mounted, so that on closing the focus returns to where it was. */
export function EndSessions({ opened, target, onClose, onEnded }: EndSessionsProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={target === "others" ? "Sign out all other browsers?" : "Sign out this browser?"}
    >
      {target && <Question target={target} onClose={onClose} onEnded={onEnded} />}
    </Dialog>
  );
}

function Question({
  target,
  onClose,
  onEnded,
}: Pick<EndSessionsProps, "onClose" | "onEnded"> & { target: SessionTarget }) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      target === "others"
        ? sendJson<Ended>("POST", "/settings/sessions/end_others", {})
        : sendJson<Ended>("DELETE", `/settings/sessions/${target.id}`, undefined),
    onSuccess: async ({ sessions_ended = 1 }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.sessions() });
      onEnded(sessions_ended);
    },
  });
  const isOthers = target === "others";
  return (
    <Confirm
      mutation={end}
      action={isOthers ? "Sign out all others" : "Sign out"}
      onConfirm={() => end.mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        {isOthers ? "Every browser but this one is" : `${target.browser}, ${plainAddress(target.address)}, is`} signed
        out with its next request. Whoever knows your password can sign in there again.
      </Text>
    </Confirm>
  );
}
