import type { KeptCode } from "@/lib/migration/undo/undo-steps";

/** Each reason why an undo keeps a record, as a sentence. */
export const REASONS: Record<KeptCode, string> = {
  edited_here: "Somebody has edited this record here since it was imported.",
  changed_by_migration: "Another migration has changed this record since. Undo that one first.",
  attached: "Another record that stays refers to this one.",
  part: "This entry belongs to the thread of a case that stays.",
  deleted_here: "The migration changed this record, and somebody has deleted it since, so there is nothing to restore.",
  value_taken: "Another record has the unique value that this one had before, such as its external id.",
  parent_missing: "The record that this one belonged to no longer exists.",
};
