import { z } from "zod";

import { keptRecord } from "@/lib/migration/migration-schema";
import { RESOURCES } from "@/lib/records/schema/resources";

/** What an undo would do with the records of one resource. */
const resourceImpact = z.object({
  resource: z.enum(RESOURCES),
  /** Records that the migration created. */
  delete: z.number().int(),
  /** Records that it changed or removed. */
  restore: z.number().int(),
  /** Records that would stay as they are, by reason. */
  keep: z.array(z.object({ code: keptRecord.shape.code, reason: z.string(), count: z.number().int() })),
});

/** What an undo would do now. Records that are edited meanwhile are kept. */
export const undoImpact = z.object({
  /** Only those of which the migration created or changed records. */
  resources: z.array(resourceImpact),
  /** Files that it would remove: those that the migration imported. */
  files: z.number().int(),
  files_kept: z.number().int().describe("Files that the migration added to records that stay as they are."),
  purged: z
    .number()
    .int()
    .describe(
      "Records that the migration created and that somebody has deleted since: until an undo they can be restored.",
    ),
  outdates: z
    .array(z.object({ migration_id: z.uuid(), created_at: z.string(), finished_at: z.string().nullable() }))
    .describe(
      "Other migrations of the same org that may have counted these records as here, the latest first. They are no " +
        "longer reconciled afterwards, and have to be run again.",
    ),
});

export type UndoImpact = z.infer<typeof undoImpact>;
