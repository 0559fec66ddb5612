import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";
import { RESOURCES } from "@/lib/records/schema/resources";

/** Which side a field, or a whole record, is taken from. */
export const side = z.enum(["source", "ours"]);

export type Side = z.infer<typeof side>;

export const CONFLICT_STATES = ["open", "decided"] as const;

const conflictField = z.object({
  field: z.string().describe("A field of the record, or `custom_fields.` and the name of a custom field."),
  ours: z.json().describe("The value when the conflict was found; null if there is none."),
  source: z.json().describe("The value in Salesforce; null if there is none."),
  taken: side.nullable().describe("Whose value was chosen; null as long as nobody has decided."),
});

/** A record that somebody edited here since its last import, and that differs in Salesforce. */
export const conflict = z.object({
  id: z.uuid(),
  object: sourceObjectName,
  resource: z.enum(RESOURCES),
  record_id: z.uuid(),
  ext_id: z.string(),
  name: z.string().nullable().describe("What the record is called here; null if it is no longer here."),
  state: z.enum(CONFLICT_STATES),
  created_at: timestampOutput,
  decided_at: timestampOutput.nullable(),
  decided_by_id: z.uuid().nullable(),
  fields: z.array(conflictField).describe("The fields that differ."),
});

/** A conflict that could not be decided as requested, and why. It stays open. */
const undecided = z.object({
  id: z.uuid(),
  code: z.enum(["not_found", "conflict", "decided", "not_storable"]),
  detail: z.string(),
});

/** The result of a decision. */
export const decisions = z.object({
  decided: z.number().int(),
  not_decided: z.array(undecided).describe("The conflicts that stay as they were, and why."),
  has_more: z
    .boolean()
    .describe("With `object`: whether there are more to try. False after so many that none of them could be decided."),
});
export type Decisions = z.infer<typeof decisions>;

export type Conflict = z.infer<typeof conflict>;

export type Undecided = z.infer<typeof undecided>;
