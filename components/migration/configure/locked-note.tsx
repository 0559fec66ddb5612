import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";

import type { MigrationStatus } from "@/lib/migration/migration-schema";

const AFTER_THIS_RUN = "You can change them for the next run once this one has ended.";

/** None for the time before the analysis is complete: until then this step is not open. */
const NOTES: Partial<Record<MigrationStatus, { title: string; words: string }>> = {
  running: { title: "The migration is running", words: `It works with these choices. ${AFTER_THIS_RUN}` },
  paused: { title: "The migration is paused", words: `Its run goes on with these choices. ${AFTER_THIS_RUN}` },
  undoing: {
    title: "The migration is being undone",
    words: "These are the choices that it ran with. They can no longer be changed.",
  },
  undone: {
    title: "The migration was undone",
    words:
      "These are the choices that it ran with. It cannot be run again; to import the records anew, analyze the org " +
      "again, and take these choices with you by exporting them under “File”.",
  },
};

/** Why the choices cannot be changed; nothing if they can. */
export function LockedNote({ status }: { status: MigrationStatus }) {
  const note = NOTES[status];
  return (
    note && (
      <Alert color="sky" icon={<IconLock aria-hidden />} title={note.title}>
        {note.words}
      </Alert>
    )
  );
}
