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
  /** What to do about it; null if there is nothing to do. */
  remedy: z.string().nullable(),
  /** The record that was imported in its place, such as the e-mail that a task is a copy of; null if there is none. */
  record: z.object({ resource: z.string(), id: z.uuid(), name: z.string().nullable() }).nullable(),
});
export type RecordIssue = z.infer<typeof recordIssue>;

/** How many records of one object a run left out for one reason. */
export const issueGroup = recordIssue.pick({ object: true, outcome: true, code: true, remedy: true }).extend({
  /** null if it differs from record to record. */
  reason: z.string().nullable(),
  count: z.number().int(),
});

export const issueGroups = z.object({ data: z.array(issueGroup) });
export type IssueGroups = z.infer<typeof issueGroups>;
