import { z } from "zod";

import { failure } from "@/lib/migration/migration-schema";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

const difference = z.object({
  /** What differs: the source id of a parent, a value of a picklist, a currency. */
  key: z.string().nullable(),
  source: z.number(),
  here: z.number(),
});

/** A comparison of one field: how many of its groups were compared, and those that differ. */
const comparison = z.object({
  field: z.string(),
  /** The object of the records that a lookup field is compared for. Absent for other fields, and in older proofs. */
  parent: sourceObjectName.optional(),
  compared: z.number().int(),
  different: z.number().int(),
  /** The first of them. */
  differences: z.array(difference),
  /** Why the field was not compared; null if it was. */
  not_compared_because: z.string().nullable(),
});

export type Comparison = z.infer<typeof comparison>;

const objectProof = z.object({
  object: sourceObjectName,
  /** The SOQL query whose ids are compared. It is to be sent with queryAll. */
  soql: z.string(),
  /**
   * The number of ids in Salesforce. Each is imported, merged into another record, left out with a reason, or missing.
   */
  source: z.number().int(),
  imported: z.number().int(),
  merged: z.number().int(),
  left_out: z.number().int(),
  missing: z.number().int(),
  /** The first of them. */
  missing_ids: z.array(z.string()),
  /** SHA-256 of the ids in ascending byte order, each with a line feed: all of Salesforce, and those accounted for. */
  digests: z.object({ source: z.string(), accounted_for: z.string() }),
  /** Records that were changed in Salesforce after the run. Their values and links may differ. Null if not counted. */
  changed_since: z.number().int().nullable(),
  /** Records whose values and links are not compared, and why: they were edited here, and stay so. Null: none. */
  not_compared: z.object({ records: z.number().int(), reason: z.string() }).nullable(),
  /**
   * Records here with ids of this object that the org does not have, and the first of these ids. They come from another
   * org, were created here, or were deleted in Salesforce after the run. They are not compared. Null: none.
   */
  not_in_source: z.object({ records: z.number().int(), ids: z.array(z.string()) }).nullable(),
  /** The number of records that name each parent, for each lookup field. */
  relationships: z.array(comparison),
  /** The sum of each currency field, by currency if the org has several. */
  amounts: z.array(comparison),
  /** The number of records by value, for each picklist. */
  picklists: z.array(comparison),
  proven: z.boolean(),
});

export type ObjectProof = z.infer<typeof objectProof>;

/** The comparison of a migration with its Salesforce org. */
export const proof = z.object({
  migration_id: z.uuid(),
  run_number: z.number().int(),
  status: z.enum(["pending", "done", "failed"]),
  requested_at: z.string(),
  finished_at: z.string().nullable(),
  ext_instance_url: z.string(),
  /** The 18-character id of the Salesforce org. */
  org_id: z.string().nullable(),
  org_name: z.string().nullable(),
  /** The Salesforce user who read it. */
  username: z.string().nullable(),
  /** The run read, and this compares, what was created in Salesforce before. Null for some proofs of long ago. */
  read_until: z.string().nullable(),
  objects: z.array(objectProof),
  /** Objects that the run had not read to their end when it failed or was cancelled. They are not compared. */
  not_read: z.array(sourceObjectName),
  /** Whether everything was read and compared, nothing is missing and nothing differs; null before the end. */
  proven: z.boolean().nullable(),
  outdated_by_undo: z
    .boolean()
    .describe(
      "Whether an undo, of this migration or of another one of the same org, may have taken out since what was here " +
        "when this was compared.",
    ),
  failure: failure.nullable(),
});

export type Proof = z.infer<typeof proof>;
