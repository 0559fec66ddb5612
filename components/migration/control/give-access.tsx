import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { onDemand } from "@/components/ui/overlay/on-demand";
import type { Migration } from "@/lib/migration/migration-schema";

const ReconnectDialog = onDemand(
  async () => (await import("@/components/migration/control/reconnect-form")).ReconnectDialog,
);

/** A button that asks for new access to the org of a migration. */
export function GiveAccess({ migration, ...props }: ButtonProps & { migration: Migration }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open} {...props}>
        Give new access
      </Button>
      <ReconnectDialog migration={migration} opened={isOpen} onClose={close} />
    </>
  );
}
