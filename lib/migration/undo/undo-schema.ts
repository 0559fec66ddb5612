import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { RESOURCES } from "@/lib/records/schema/resources";

/** A record that an undo left as it is, and why. */
export const keptRecord = z.object({
  id: z.uuid(),
  resource: z.enum(RESOURCES),
  record_id: z.uuid(),
  ext_id: z.string().nullable(),
  name: z.string().nullable().describe("What the record is called here; null if it is no longer here."),
  code: z.enum([
    "edited_here",
    "changed_by_migration",
    "attached",
    "part",
    "deleted_here",
    "value_taken",
    "parent_missing",
  ]),
  reason: z.string(),
  kept_by: z
    .object({ resource: z.enum(RESOURCES), id: z.uuid() })
    .nullable()
    .describe("The record because of which it is kept: one that refers to it, or that it is a part of."),
});
export type KeptRecord = z.infer<typeof keptRecord>;

/** Each reason why an undo keeps a record, as a sentence. */
export const REASONS: Record<KeptRecord["code"], string> = {
  edited_here: "Somebody has edited this record here since it was imported.",
  changed_by_migration: "Another migration has changed this record since. Undo that one first.",
  attached: "Another record that stays refers to this one.",
  part: "This entry belongs to the thread of a case that stays.",
  deleted_here: "The migration changed this record, and somebody has deleted it since, so there is nothing to restore.",
  value_taken: "Another record has the unique value that this one had before, such as its external id.",
  parent_missing: "The record that this one belonged to no longer exists.",
};

/** What an undo would do with the records of one resource. */
const resourceImpact = z.object({
  resource: z.enum(RESOURCES),
  delete: z.number().int().describe("Records that the migration created."),
  restore: z.number().int().describe("Records that it changed or removed."),
  keep: z
    .array(z.object({ code: keptRecord.shape.code, reason: z.string(), count: z.number().int() }))
    .describe("Records that would stay as they are, by reason."),
});

/** What an undo would do now. Records that are edited meanwhile are kept. */
export const undoImpact = z.object({
  resources: z.array(resourceImpact).describe("Only those of which the migration created or changed records."),
  files: z.number().int().describe("Files that it would remove: those that the migration imported."),
  files_kept: z.number().int().describe("Files that the migration added to records that stay as they are."),
  purged: z
    .number()
    .int()
    .describe(
      "Records that the migration created and that somebody has deleted since: until an undo they can be restored.",
    ),
  outdates: z
    .array(z.object({ migration_id: z.uuid(), created_at: timestampOutput, finished_at: timestampOutput.nullable() }))
    .describe(
      "Other migrations of the same org that may have counted these records as here, the latest first. They are no " +
        "longer reconciled afterwards, and have to be run again.",
    ),
});

export type UndoImpact = z.infer<typeof undoImpact>;
