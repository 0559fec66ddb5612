import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { UndoQuestion } from "@/components/migration/undo/undo-question";
import { Section } from "@/components/ui/layout/section";
import type { Migration } from "@/lib/migration/migration-schema";

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
        <Button variant="default" onClick={open}>
          Undo the migration
        </Button>
      }
    >
      <Modal opened={isOpen} onClose={close} title="Undo the migration?" size="lg">
        <UndoQuestion id={migration.migration_id} onClose={close} />
      </Modal>
    </Section>
  );
}
