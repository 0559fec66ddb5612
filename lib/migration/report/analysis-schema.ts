import { z } from "zod";

import { MIGRATION_STATUSES } from "@/lib/migration/migration-schema";

const ANALYSIS_STEPS = ["counting", "fields", "automations", "checks"] as const;

export const analysisProgress = z.object({
  migration_id: z.uuid(),
  status: z.enum(MIGRATION_STATUSES).describe("That of the migration. This list may grow."),
  step: z
    .enum(ANALYSIS_STEPS)
    .nullable()
    .describe(
      "What is read now. counting: the records of each object · fields: the fields of `object` and values of its " +
        "newest records · automations: automations, limits and files · checks: duplicates, missing parents and " +
        "risks. null: the analysis has ended.",
    ),
  object: z.string().nullable().describe("The object that is read now, if it is one at a time."),
  objects: z
    .array(
      z.object({
        object: z.string(),
        label: z.string().describe("Its name in the plural."),
        count: z.int().nullable().describe("Its records. null: Salesforce refused to count them."),
        fields_read: z.boolean(),
      }),
    )
    .describe("The objects that can be migrated and are counted so far. Empty once the analysis has ended."),
  others: z
    .object({
      objects: z.int(),
      records: z.int(),
      all_counted: z.boolean().describe("false: some objects could not be counted, so there may be more records."),
    })
    .nullable()
    .describe("The objects that stay in Salesforce, and their records together. null: they are not counted yet."),
});

export type AnalysisProgress = z.infer<typeof analysisProgress>;
