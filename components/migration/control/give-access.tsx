import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { createContext, type ReactNode, use } from "react";

import { isOpen, STATUSES } from "@/components/migration/wizard/migration-statuses";
import { onDemand } from "@/components/ui/overlay/on-demand";
import type { Migration, MigrationStatus } from "@/lib/migration/migration-schema";

const ReconnectDialog = onDemand(
  async () => (await import("@/components/migration/control/reconnect-form")).ReconnectDialog,
);

const OpenContext = createContext<() => void>(() => undefined);

/**
 * Holds the dialog that asks for new access to the org of a migration. It outlasts the buttons that open it: a run that
 * goes on takes them from the page, while the dialog still says so.
 */
export function AccessDialog({ migration, children }: { migration: Migration; children: ReactNode }) {
  const [isOpened, { open, close }] = useDisclosure();
  return (
    <OpenContext value={open}>
      {children}
      <ReconnectDialog migration={migration} opened={isOpened} onClose={close} />
    </OpenContext>
  );
}

/** A button that opens the {@link AccessDialog} around it; null for a migration that takes no new access now. */
export function GiveAccess({ migration, ...props }: ButtonProps & { migration: Migration }) {
  const open = use(OpenContext);
  if (!takesAccess(migration.status)) return null;
  return (
    <Button onClick={open} {...props}>
      Give new access
    </Button>
  );
}

/** Whether the org will be read again, by a page or a run, and no job reads it now. */
function takesAccess(status: MigrationStatus): boolean {
  return isOpen("configure", status) && !STATUSES[status].isLive && status !== "undone";
}
