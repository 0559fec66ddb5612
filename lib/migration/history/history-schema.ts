import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

const HISTORY_EVENTS = [
  "analyzed",
  "analysis_failed",
  "run_started",
  "fields_hidden",
  "object_finished",
  "deletions_unknown",
  "waiting",
  "went_on",
  "worker_replaced",
  "paused",
  "resumed",
  "reconnected",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
  "delta_scheduled",
  "delta_unscheduled",
  "delta_refused",
  "undo_started",
  "undo_failed",
  "undone",
] as const;

export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

/** The outcomes of one object, or of all objects of a run. */
const historyCounts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  deleted: z.number().int(),
});

export type HistoryCounts = z.infer<typeof historyCounts>;

/** Something that happened to a migration. */
export const historyEntry = z.object({
  id: z.uuid(),
  created_at: timestampOutput,
  event: z.enum(HISTORY_EVENTS).describe("What happened. This list may grow."),
  run_number: z.number().int().describe("The run in which it happened, or the last one before; 0 before the first."),
  run_kind: z.enum(["full", "delta", "retry"]),
  object: sourceObjectName.nullable().describe("`object_finished`, `fields_hidden`, `deletions_unknown`: which one."),
  user_id: z.uuid().nullable().describe("Who did it; null if it happened by itself."),
  user_name: z.string().nullable().describe("As it is now; null for somebody who is no longer a member."),
  reason: z.string().nullable().describe("Why it happened; null if there is nothing to say."),
  remedy: z.string().nullable().describe("What to do about it; null if there is nothing to do."),
  counts: historyCounts
    .nullable()
    .describe("`object_finished`, `completed`, `completed_with_errors`: the outcomes of its records."),
  every_minutes: z.number().int().nullable().describe("`delta_scheduled`: how often a delta is started."),
});

export type HistoryEntry = z.infer<typeof historyEntry>;
