import { z } from "zod";

import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

/** A source record that a run left out: skipped on purpose, or failed. */
export const recordIssue = z.object({
  id: z.uuid(),
  object: sourceObjectName,
  ext_id: z.string(),
  outcome: z.enum(["skipped", "failed"]),
  code: z.string(),
  field: z.string().nullable(),
  value: z.string().nullable(),
  reason: z.string(),
  remedy: z.string().nullable().describe("What to do about it; null if there is nothing to do."),
  record: z
    .object({ resource: z.string(), id: z.uuid(), name: z.string().nullable() })
    .nullable()
    .describe(
      "The record that was imported in its place, such as the e-mail that a task is a copy of; null if there is none.",
    ),
});
export type RecordIssue = z.infer<typeof recordIssue>;

/** How many records of one object a run left out for one reason. */
export const issueGroup = recordIssue.pick({ object: true, outcome: true, code: true, remedy: true }).extend({
  reason: z.string().nullable().describe("null if it differs from record to record."),
  count: z.number().int(),
});

export const issueGroups = z.object({ data: z.array(issueGroup) });
export type IssueGroups = z.infer<typeof issueGroups>;
