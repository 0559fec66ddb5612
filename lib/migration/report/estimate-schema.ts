import { z } from "zod";

export const speed = z
  .object({
    sampled_records: z.number().int(),
    sampled_milliseconds: z.number().int().describe("How long Salesforce took for the sample."),
    read_per_second: z.number().nullable().describe("Records that the sample was read at. null: there was no record."),
    stored_per_second: z.number().describe("Records that this service stores."),
    storing: z
      .enum(["measured", "assumed"])
      .optional()
      .describe(
        "measured: with the sample, in a transaction that was rolled back · assumed: too few of the sample could be " +
          "stored, since they are few or belong to records that are not here.",
      ),
  })
  .describe("What the seconds of an object are calculated from.");

export const budget = z.object({
  daily: z.number().int().nullable().describe("API requests of the org in 24 hours. null: the org does not say."),
  left: z.number().int().nullable(),
  rest: z.number().int().describe("What a run needs if it reads every object over REST."),
  bulk: z.number().int().describe("What a run needs if it reads every object by Bulk API 2.0."),
  least: z.number().int().describe("What it needs if each object is read by the API that takes fewer."),
  verdict: z
    .enum(["enough", "enough_with_bulk", "not_today", "unknown"])
    .describe("enough: over REST · enough_with_bulk: only with the Bulk API · not_today: with neither."),
});

export const fileEstimate = z
  .object({
    count: z
      .number()
      .int()
      .describe(
        "Attachments and files of the org, each counted once, also of records that are not migrated. A file that is " +
          "linked to several migrated records is copied for each of them.",
      ),
    bytes: z.number().int().nullable().describe("null: Salesforce did not tell their sizes in time."),
    measured: z.enum(["counted", "sampled"]).describe("sampled: the bytes of the newest stand for all."),
    seconds: z
      .number()
      .int()
      .describe(
        "How long copying them takes, after the records. Not part of `seconds`. Without `bytes` each counts as half " +
          "a megabyte.",
      ),
    api_calls: z.number().int().describe("Not part of `api_calls`."),
  })
  .nullable();
