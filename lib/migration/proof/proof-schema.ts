import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { failure } from "@/lib/migration/migration-schema";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

/** Of the ids that a proof finds missing or too many: enough to find the cause, and few enough to store. */
export const MAX_SHOWN_IDS = 100;

export const MAX_SHOWN_DIFFERENCES = 20;

const difference = z.object({
  key: z.string().nullable().describe("What differs: the source id of a parent, a value of a picklist, a currency."),
  source: z.number(),
  here: z.number(),
});

/** A comparison of one field: how many of its groups were compared, and those that differ. */
const comparison = z.object({
  field: z.string(),
  parent: sourceObjectName
    .optional()
    .describe(
      "The object of the records that a lookup field is compared for. Absent for other fields, and in older proofs.",
    ),
  compared: z.number().int().describe("Its groups, such as the values of a picklist, that were compared."),
  different: z.number().int().describe("Those of them that differ."),
  differences: z.array(difference).describe("The first of those that differ."),
  not_compared_because: z.string().nullable().describe("Why the field was not compared; null if it was."),
});

export type Comparison = z.infer<typeof comparison>;

const objectProof = z.object({
  object: sourceObjectName,
  soql: z.string().describe("The SOQL query whose ids are compared. It is to be sent with queryAll."),
  source: z
    .number()
    .int()
    .describe(
      "The number of ids in Salesforce. Each is imported, merged into another record, left out with a reason, or " +
        "missing.",
    ),
  imported: z.number().int(),
  merged: z.number().int(),
  left_out: z.number().int(),
  missing: z.number().int(),
  missing_ids: z.array(z.string()).describe("The first of those that are missing."),
  digests: z
    .object({ source: z.string(), accounted_for: z.string() })
    .describe(
      "SHA-256 of the ids in ascending byte order, each with a line feed: all of Salesforce, and those accounted for.",
    ),
  changed_since: z
    .number()
    .int()
    .nullable()
    .describe(
      "Records that were changed in Salesforce after the run. Their values and links may differ. null: not counted.",
    ),
  not_compared: z
    .object({ records: z.number().int(), reason: z.string() })
    .nullable()
    .describe(
      "Records whose values and links are not compared, and why: they were edited here, and stay so. null: none.",
    ),
  not_in_source: z
    .object({ records: z.number().int(), ids: z.array(z.string()) })
    .nullable()
    .describe(
      "Records here with ids of this object that the org does not have, and the first of these ids. They come from " +
        "another org, were created here, or were deleted in Salesforce after the run. They are not compared. " +
        "null: none.",
    ),
  relationships: z.array(comparison).describe("The number of records that name each parent, for each lookup field."),
  amounts: z.array(comparison).describe("The sum of each currency field, by currency if the org has several."),
  picklists: z.array(comparison).describe("The number of records by value, for each picklist."),
  proven: z.boolean().describe("Whether no id is missing, and everything that is to be compared is equal."),
});

export type ObjectProof = z.infer<typeof objectProof>;

/** The comparison of a migration with its Salesforce org. */
export const proof = z.object({
  migration_id: z.uuid(),
  run_number: z.number().int(),
  status: z.enum(["pending", "done", "failed"]),
  requested_at: timestampOutput,
  finished_at: timestampOutput.nullable(),
  ext_instance_url: z.string(),
  org_id: z.string().nullable().describe("The 18-character id of the Salesforce org."),
  org_name: z.string().nullable(),
  username: z.string().nullable().describe("The Salesforce user who read it."),
  read_until: timestampOutput
    .nullable()
    .describe(
      "The run read, and this compares, what was created in Salesforce before. null for some proofs of long ago.",
    ),
  objects: z.array(objectProof),
  not_read: z
    .array(sourceObjectName)
    .describe("Objects that the run had not read to their end when it failed or was cancelled. They are not compared."),
  proven: z
    .boolean()
    .nullable()
    .describe("Whether everything was read and compared, nothing is missing and nothing differs; null before the end."),
  outdated_by_undo: z
    .boolean()
    .describe(
      "Whether an undo, of this migration or of another one of the same org, may have taken out since what was here " +
        "when this was compared.",
    ),
  failure: failure.nullable(),
});

export type Proof = z.infer<typeof proof>;
