import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { Section } from "@/components/ui/layout/section";
import { onDemand } from "@/components/ui/overlay/on-demand";
import type { Migration } from "@/lib/migration/migration-schema";

const UndoDialog = onDemand(async () => (await import("@/components/migration/undo/undo-question")).UndoDialog);

const LEAD =
  "Deletes the records that this migration created, and restores those that it changed. Records that somebody has " +
  "edited since stay as they are, and are listed. You see the numbers before anything is changed.";

/** The way back: a dialog that says what an undo would do, and starts it. For admins. */
export function UndoPanel({ migration }: { migration: Migration }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section
      title={migration.status === "undone" ? "Undo what was kept" : "Undo this migration"}
      lead={LEAD}
      action={
        <Button variant={migration.undo?.failed ? "filled" : "default"} onClick={open}>
          Undo the migration
        </Button>
      }
    >
      <UndoDialog id={migration.migration_id} opened={isOpen} onClose={close} />
    </Section>
  );
}
