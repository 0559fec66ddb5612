import { z } from "zod";

import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

/** Records of one preview. */
export const MAX_PREVIEWED = 25;

/** Why a record is among the previewed ones. */
const sampledAs = z.enum(["first", "middle", "last", "most_filled", "at_risk", "asked"]);

export type SampledAs = z.infer<typeof sampledAs>;

const outcome = z.enum(["created", "updated", "unchanged", "skipped", "failed", "merged"]);

const cause = z
  .object({ code: z.string(), field: z.string().nullable(), value: z.string().nullable(), reason: z.string() })
  .nullable()
  .describe("Why the record is skipped or fails, and the remedy; null for the others.");

const changes = z.enum([
  "same",
  "converted",
  "shortened",
  "replaced",
  "not_taken",
  "custom_field",
  "link",
  "owner",
  "left_out",
]);

const field = z.object({
  source: z.string(),
  label: z.string(),
  target: z.string().nullable().describe("The field here; null: left out."),
  source_value: z.json(),
  value: z.json().describe("The value here; null if the record is not stored."),
  change: changes
    .nullable()
    .describe(
      "`converted`: in another form, and nothing is lost. `shortened` and `replaced`: the value here differs, and " +
        "the source's own is kept as a custom field. `not_taken`: the field cannot take it, so it is only kept as a " +
        "custom field. `left_out`: it is not kept. null: the record is not stored.",
    ),
  note: z.string().nullable(),
});

const link = z.object({
  field: z.string(),
  ext_id: z.string(),
  target: z.string().describe("The field here."),
  state: z
    .enum(["linked", "heals", "kept", "not_stored"])
    .describe(
      "`heals`: empty, its id is kept, and it is linked when its record is here. `kept`: empty, and its id is kept.",
    ),
  record_id: z.uuid().nullable(),
  note: z.string().nullable().describe("Why it is empty."),
});

const previewedRecord = z.object({
  ext_id: z.string(),
  name: z.string().nullable(),
  sampled_as: z.array(sampledAs),
  outcome,
  resource: z.string(),
  record_id: z.uuid().nullable().describe("The id that it has here, or that a run would give it."),
  cause,
  fields: z.array(field).describe("The fields that have a value in the source. Long texts are cut."),
  fillers: z.array(z.object({ field: z.string(), value: z.json() })).describe("What the import itself fills in."),
  links: z.array(link),
  edited_here: z.boolean().describe("Whether somebody has edited the record here since its last import."),
  overwritten: z
    .array(z.object({ field: z.string(), before: z.json(), after: z.json() }))
    .describe("What would change in a record that is here already."),
});

const parent = z.object({
  object: sourceObjectName,
  ext_id: z.string(),
  outcome,
  record_id: z.uuid().nullable(),
  cause,
});

const leftOutField = z.object({
  source: z.string(),
  label: z.string(),
  because: z.enum(["configuration", "repeats_others"]),
});

export const preview = z.object({
  object: sourceObjectName,
  data: z.array(previewedRecord),
  parents: z.array(parent).describe("The records that the previewed ones need, imported before them."),
  not_found: z.array(z.string()).describe("Asked source ids of which the org has no record that a run would read."),
  fields_left_out: z.array(leftOutField),
  notes: z.array(z.string()).describe("What a run would do beyond this preview."),
  api_requests: z.int().describe("How many API requests of the org the preview took."),
  not_previewed_because: z.string().nullable().describe("Why there is no preview; null if there is one."),
});

export type Preview = z.input<typeof preview>;
export type PreviewedRecord = z.input<typeof previewedRecord>;
export type PreviewedField = PreviewedRecord["fields"][number];
export type PreviewedLink = PreviewedRecord["links"][number];
