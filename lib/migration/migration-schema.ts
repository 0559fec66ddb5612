import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";
import { RESOURCES } from "@/lib/records/schema/resources";

/** The progress of one object. */
const objectProgress = z.object({
  object: sourceObjectName,
  resource: z.string(),
  status: z.enum(["pending", "running", "done", "failed"]),
  expected: z.number().int().nullable().describe("Counted before the object is read; null until then."),
  source: z
    .number()
    .int()
    .nullable()
    .describe("Counted in the Salesforce org after the object has been read; null until then."),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  deleted: z
    .number()
    .int()
    .describe("Records that were deleted in Salesforce, and so here by a delta. `reconciled` leaves them out."),
  read_in_run: z
    .object({ done: z.number().int(), total: z.number().int() })
    .nullable()
    .describe(
      "The records that a delta or a retry has read, and those that it has to read. null: they are not counted yet, " +
        "or the run is a full one, whose outcomes are all that it has read.",
    ),
  api: z
    .enum(["rest", "bulk"])
    .nullable()
    .describe("The API of Salesforce by which it is read; null until it is begun."),
  api_reason: z.string().nullable().describe("Why it is read by that one; null until it is begun."),
  reconciled: z
    .boolean()
    .describe("Whether `source` is the sum of `created`, `updated`, `unchanged`, `skipped` and `failed`."),
  choices_changed: z
    .boolean()
    .describe(
      "Whether what its records become was configured otherwise when the last run that reads all of them began. A " +
        "delta and a retry apply the present choices only to the records that they read; a full run does to all.",
    ),
});

const migrationPhase = z.object({
  phase: z.number().int(),
  status: z.enum(["open", "running", "done", "failed"]).describe("open: it has not run yet, or not to its end."),
  objects: z.array(sourceObjectName),
});

/** The progress of undoing what became one resource. */
const undoProgress = z.object({
  resource: z.enum(RESOURCES),
  expected: z
    .number()
    .int()
    .nullable()
    .describe("Records that the migration created or changed; null until they are counted."),
  deleted: z.number().int(),
  restored: z.number().int(),
  kept: z
    .number()
    .int()
    .describe("Records that were left as they are: `GET /migration/{migration_id}/undo/kept` lists them."),
  done: z.boolean(),
});

export const failure = z.object({
  code: z.string(),
  detail: z.string(),
  remedy: z.string(),
  denied: z
    .boolean()
    .optional()
    .describe("true: Salesforce refuses the user, the app or its address, so new access would be refused as well."),
});

const waiting = z.object({
  for: z
    .enum(["salesforce", "api_requests", "job_engine", "other_analysis"])
    .describe(
      "salesforce: the org does not answer. api_requests: they are used up. job_engine: the server that runs the " +
        "jobs cannot be reached. other_analysis: an organization's orgs are analyzed one after the other.",
    ),
  since: timestampOutput,
  reason: z.string(),
  next_attempt_at: timestampOutput
    .nullable()
    .describe("While API requests are used up: when the run looks next. null: within a minute."),
});

export const MIGRATION_STATUSES = [
  "analyzing",
  "ready",
  "analysis_failed",
  "running",
  "paused",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
  "undoing",
  "undone",
] as const;

/** A migration as every endpoint returns it. */
export const migration = z.object({
  migration_id: z.uuid(),
  status: z.enum(MIGRATION_STATUSES).describe("This list may grow."),
  created_at: timestampOutput,
  updated_at: timestampOutput,
  started_at: timestampOutput.nullable(),
  finished_at: timestampOutput.nullable(),
  run_number: z.number().int(),
  run_kind: z
    .enum(["full", "delta", "retry"])
    .describe(
      "What the latest run reads, or read. full: all records. delta: what changed in Salesforce since the last run. " +
        "A change made in the same second in which a delta starts belongs to the next one. retry: what failed in it.",
    ),
  delta_schedule: z
    .object({ every_minutes: z.number().int(), next_at: timestampOutput })
    .nullable()
    .describe("How often a delta is started by itself, and when next; null if it is not."),
  ext_instance_url: z.string(),
  org_name: z.string().nullable(),
  connected_as: z.string().nullable().describe("The Salesforce user whose access is used. null: unknown."),
  connected: z
    .boolean()
    .describe(
      "false while its Salesforce org is disconnected. To run again, connect it again as the same Salesforce user.",
    ),
  renewable: z
    .boolean()
    .describe(
      "true after a sign-in at Salesforce: access is renewed by itself. false for an access token, which expires, " +
        "and while the org is disconnected.",
    ),
  objects: z.array(objectProgress).describe("Every object that a run has begun, with its latest run."),
  phases: z
    .array(migrationPhase)
    .describe("The phases of the configuration since the first run; without any choice there is one."),
  files: z
    .object({
      stored: z.number().int(),
      unchanged: z.number().int().describe("Stored by an earlier run, of those looked for."),
      skipped: z.number().int().describe("Too large."),
      failed: z.number().int().describe("Deleted or hidden meanwhile."),
      bytes: z.number().int().describe("Of those stored."),
      seconds: z.number().describe("How long the copying has taken, or took."),
      finished: z.boolean(),
      left_out: z
        .array(z.object({ ext_id: z.string(), name: z.string(), size: z.number().int(), reason: z.string() }))
        .describe("The first hundred of those skipped and failed, by the runs before a delta or a retry too."),
    })
    .nullable()
    .describe("The files of its records, if the latest run copies them; null if it does not, or not yet."),
  reconciled: z
    .boolean()
    .nullable()
    .describe("Whether every object that has begun is reconciled; null before the end."),
  outdated_by_undo: z
    .boolean()
    .describe(
      "Whether an undo of another migration of the same org, or a part of its own, may have taken out records that " +
        "it had counted as here. It is not reconciled then; run it again to bring them back.",
    ),
  failure: failure.nullable().describe("Why it stopped, or why the run paused by itself; null if a person paused it."),
  waiting: waiting
    .nullable()
    .describe("While it is analyzed, run or undone: since when it waits, for what, and why. It goes on by itself."),
  api_requests: z
    .number()
    .int()
    .describe("API requests that the latest run has sent, counted for 24 hours and then anew."),
  has_proof: z
    .boolean()
    .describe("Whether it was compared with its org. `GET /migration/{migration_id}/proof` has the latest proof."),
  undo: z
    .object({
      started_at: timestampOutput,
      finished_at: timestampOutput.nullable().describe("null: it goes on, or has failed."),
      failed: z
        .boolean()
        .describe(
          "Whether it is the undo that has failed, and no run since. Undo again: it goes on with what is left.",
        ),
      resources: z.array(undoProgress),
    })
    .nullable()
    .describe("The undo of the migration; null until one is requested."),
});

export type Migration = z.infer<typeof migration>;

export type MigrationStatus = Migration["status"];

export type Failure = z.infer<typeof failure>;

export type ObjectProgress = z.infer<typeof objectProgress>;

/** A migration of an organization, as lib and its jobs name it. */
export interface MigrationKey {
  organizationId: string;
  migrationId: string;
}

export interface RunKey extends MigrationKey {
  runNumber: number;
}

export interface UndoKey extends MigrationKey {
  undoNumber: number;
}
