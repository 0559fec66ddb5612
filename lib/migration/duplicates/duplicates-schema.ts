import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { duplicates } from "@/lib/migration/configuration/duplicate-rules";
import { failure } from "@/lib/migration/migration-schema";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

export const purpose = z.enum(["preview", "run"]);

const clusterRecord = z.object({
  ext_id: z.string().nullable().describe("The id of a record of the source; null for one that is here."),
  record_id: z.uuid().nullable().describe("The record that is here, or that an earlier run made of it."),
  rule: z.number().int().nullable().describe("The first rule, counted from 0, by which it matches another one."),
  values: z.record(z.string(), z.json()).describe("The values that were compared, and its name."),
});

/** How many records of a cluster are listed: the first ones. */
export const MAX_LISTED = 20;

/** Records that are the same, and the one of them that stays. */
export const cluster = z.object({
  id: z.uuidv7(),
  object: sourceObjectName,
  action: duplicates.shape.action.unwrap(),
  survivor: clusterRecord.describe("The record that stays."),
  duplicates: z.array(clusterRecord).describe(`The others, at most ${MAX_LISTED} of them.`),
  count: z.number().int().describe("How many others there are."),
});

const searchSummary = z.object({
  object: sourceObjectName,
  of: purpose,
  status: z.enum(["reading_source", "reading_here", "done", "failed"]),
  source_records: z.number().int().describe("Records of the source that were read so far."),
  records_here: z.number().int(),
  clusters: z.number().int(),
  duplicates: z.number().int().describe("Records of the source that are not the one that stays."),
  ignored: z
    .array(z.object({ rule: z.number().int().nullable(), value: z.string(), records: z.number().int() }))
    .describe("Values that too many records share to identify any; without a rule: a cluster of too many records."),
  created_at: timestampOutput,
  finished_at: timestampOutput.nullable(),
  failure: failure.nullable(),
});

/** How far the searches are, and what they found. */
export const searchSummaries = z.object({ data: z.array(searchSummary) });
export type SearchSummaries = z.infer<typeof searchSummaries>;

export type Cluster = z.infer<typeof cluster>;

export type SearchSummary = z.infer<typeof searchSummary>;
