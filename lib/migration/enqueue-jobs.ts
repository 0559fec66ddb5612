import type { PoolClient } from "pg";

import { batchesOf } from "@/lib/batches";
import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { MIN_UUID } from "@/lib/ids";
import { type JobRequest, requestJobs } from "@/lib/jobs";
import type { RunKey, MigrationKey, UndoKey } from "@/lib/migration/migration-schema";

// Each job is enqueued in the transaction that makes it necessary. Its event's id depends on that change alone, so a
// repetition has no effect.

/** Jobs per batch. A batch is one statement, or one request of about 50 KB to an Inngest server. */
const BATCH_SIZE = 200;

/** Enqueues the analysis of a migration. */
export function enqueueAnalysis(client: PoolClient, key: MigrationKey): Promise<void> {
  return requestJobs(client, [analysisOf(key)]);
}

/** Enqueues a run of a migration, or its continuation after a pause or in another job. */
export function enqueueRun(client: PoolClient, run: RunKey, resumedAt?: Date | null): Promise<void> {
  return requestJobs(client, [requestOfRun(run, resumedAt)]);
}

/** Enqueues the continuation of runs of one organization after a pause. */
export async function enqueueResumed(
  client: PoolClient,
  runs: readonly (RunKey & { resumedAt: Date })[],
): Promise<void> {
  for (const batch of batchesOf(runs, BATCH_SIZE))
    await requestJobs(
      client,
      batch.map((run) => requestOfRun(run, run.resumedAt)),
    );
}

/** Enqueues a preview of duplicates, which is told from others by its first search. */
export function enqueueSearch(client: PoolClient, key: MigrationKey, searchId: string): Promise<void> {
  return requestJobs(client, [{ name: "migration/search.requested", data: dataOf(key), id: `search-${searchId}` }]);
}

/** Enqueues an undo of a migration, or its continuation in another job. */
export function enqueueUndo(client: PoolClient, undo: UndoKey, resumedAt?: Date): Promise<void> {
  return requestJobs(client, [requestOfUndo(undo, resumedAt)]);
}

function dataOf({ organizationId, migrationId }: MigrationKey): { organization_id: string; migration_id: string } {
  return { organization_id: organizationId, migration_id: migrationId };
}

function analysisOf(key: MigrationKey, resumedAt?: Date | null, suffix = ""): JobRequest {
  const id = idOf(`analyze-${key.migrationId}`, resumedAt, suffix);
  return { name: "migration/analyze.requested", data: dataOf(key), id };
}

function requestOfRun(run: RunKey, resumedAt?: Date | null, suffix = ""): JobRequest {
  const { runNumber } = run;
  return {
    name: "migration/run.requested",
    data: { ...dataOf(run), run_number: runNumber, ...resumedData(resumedAt) },
    id: idOf(`run-${run.migrationId}-${runNumber}`, resumedAt, suffix),
  };
}

function requestOfUndo(undo: UndoKey, resumedAt?: Date | null, suffix = ""): JobRequest {
  const { undoNumber } = undo;
  return {
    name: "migration/undo.requested",
    data: { ...dataOf(undo), undo_number: undoNumber, ...resumedData(resumedAt) },
    id: idOf(`undo-${undo.migrationId}-${undoNumber}`, resumedAt, suffix),
  };
}

function resumedData(resumedAt: Date | null | undefined): { resumed_at?: string } {
  return resumedAt ? { resumed_at: resumedAt.toISOString() } : {};
}

function idOf(work: string, resumedAt: Date | null | undefined, suffix: string): string {
  return `${resumedAt ? `${work}-${resumedAt.getTime()}` : work}${suffix}`;
}

/** For how long a job is asked for. An Inngest server knows the ids of events for a day, and drops a repeated event. */
export const MAX_AGE = "23 hours";

/**
 * A live run or undo passes to a new job long before this, and an analysis has ended. One that has not may be lost,
 * while the Inngest server still knows its event id and drops a repeat. So it is requested every hour under a new id.
 * If the old job lives after all, the new one ends after its turn, or finds that the analysis has ended.
 */
const LOST_AFTER_HOURS = 6;

interface UnfinishedMigration {
  organization_id: string;
  id: string;
  status: "analyzing" | "running" | "undoing";
  run_number: number;
  undo_number: number;
  /** When its present job was enqueued; null: with the run or undo. */
  resumed_at: Date | null;
  /** Whole hours since its present job was enqueued. */
  hours: number;
}

/** SQL: when the present job was enqueued. An undo that was not handed on may have the `resumed_at` of a run. */
const ENQUEUED_AT = `CASE WHEN status = 'undoing' THEN greatest(undo_started_at, resumed_at)
  ELSE coalesce(resumed_at, started_at, created_at) END`;

/** Not those that wait for API requests: `runs/wake-runs.ts` enqueues them when it is time. */
export const UNFINISHED = `
  SELECT organization_id, id, status, run_number, undo_number,
    CASE WHEN status <> 'undoing' OR resumed_at > undo_started_at THEN resumed_at END AS resumed_at,
    floor(extract(epoch FROM now() - ${ENQUEUED_AT}) / 3600)::int AS hours
  FROM migrations
  WHERE status IN ('analyzing', 'running', 'undoing') AND wakes_at IS NULL AND id > $1
    AND ${ENQUEUED_AT} > now() - interval '${MAX_AGE}'
  ORDER BY id LIMIT $2`;

/** So that a sweep costs no more when an engine is asked for ten thousand jobs. */
const MAX_PER_SWEEP = 1000;

/** The last migration of the sweep before, if it left some; they come one after another, however many there are. */
let asked = MIN_UUID;

/**
 * Enqueues the jobs of migrations that are being analyzed, run or undone once more: of all, or of the next
 * {@link MAX_PER_SWEEP} in turn. This starts a job that an Inngest server has lost. One that the engine still knows is
 * not started again, because its event has the same id. Returns the number of jobs.
 */
export async function reenqueueMigrations(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<UnfinishedMigration>(UNFINISHED, [asked, MAX_PER_SWEEP]),
  );
  for (const batch of batchesOf(rows, BATCH_SIZE))
    await transaction((client) => requestJobs(client, batch.map(requestOf)));
  asked = (rows.length === MAX_PER_SWEEP && rows.at(-1)?.id) || MIN_UUID;
  return rows.length;
}

function requestOf(migration: UnfinishedMigration): JobRequest {
  const {
    organization_id: organizationId,
    id,
    status,
    run_number: runNumber,
    resumed_at: resumedAt,
    hours,
  } = migration;
  const key = { organizationId, migrationId: id };
  const suffix = hours >= LOST_AFTER_HOURS ? `-${hours}h` : "";
  if (status === "analyzing") return analysisOf(key, resumedAt, suffix);
  if (status === "undoing") return requestOfUndo({ ...key, undoNumber: migration.undo_number }, resumedAt, suffix);
  return requestOfRun({ ...key, runNumber }, resumedAt, suffix);
}
