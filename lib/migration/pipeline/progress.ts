import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { Api, ApiChoice } from "@/lib/migration/pipeline/read/choose-api";
import type { MigrationKey, RunKey } from "@/lib/migration/migration-schema";

/** The progress of one object in a run. */
export interface ObjectProgressRow {
  object: SourceObjectName;
  status: "pending" | "running";
  checkpoint: string | null;
  /** How far a delta has come with what its records take from other objects: see `refresh-dependents.ts`. */
  dependency_checkpoint: string | null;
  /** The records counted in the source before reading, without those carried over; null until then. */
  expected: number | null;
  /** A delta reads what was changed since; null: the run reads everything. */
  since: Date | null;
  /** Null until the object is begun. */
  api: Api | null;
  bulk_job: BulkProgress | null;
}

/** How far an object is read by Bulk API 2.0. The checkpoint alone says what is stored. */
export interface BulkProgress {
  job: {
    id: string;
    created_at: string;
    /** How many records it may have at most, and how many it has; null until it is complete. */
    requested: number;
    records: number | null;
    /** The page of results that is being read; null: the first. */
    locator: string | null;
  } | null;
  /** The largest number of records of the next job. */
  limit: number;
  /** Jobs that failed since the last page that was stored. */
  failures: number;
  /** Whether all jobs are read. */
  ended: boolean;
}

/** Rows belong to the present run. A late slice must not change the rows of the next run. */
export const inThisRun = (runNumber: string): string =>
  `EXISTS (SELECT 1 FROM migrations m WHERE m.organization_id = $1 AND m.id = $2 AND m.status = 'running'
    AND m.run_number = ${runNumber})`;

/** Whether this run is still running: not paused, cancelled or started again, nor its organization deleted. */
export async function isRunning(run: RunKey): Promise<boolean> {
  const found = await pool().query(
    `SELECT FROM migrations WHERE organization_id = $1 AND id = $2 AND status = 'running' AND run_number = $3
       AND EXISTS (SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL)`,
    [run.organizationId, run.migrationId, run.runNumber],
  );
  return found.rowCount === 1;
}

/** Whether the run in progress, or else the last one, reads only what was changed. */
export async function isDelta(key: MigrationKey): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT FROM migrations WHERE organization_id = $1 AND id = $2 AND run_kind = 'delta'",
    [key.organizationId, key.migrationId],
  );
  return rowCount === 1;
}

/** Changes can become visible some minutes after the time that they are stamped with. */
export const OVERLAP_MS = 600_000;

/** SQL: {@link OVERLAP_MS} as an interval. */
export const OVERLAP = `${OVERLAP_MS} milliseconds`;

/** The objects that are not done yet, in the order of import. */
export async function listUnfinishedObjects(run: RunKey): Promise<ObjectProgressRow[]> {
  const found = await pool().query<ObjectProgressRow>(
    `SELECT o.object, o.status, o.checkpoint, o.dependency_checkpoint, o.api, o.bulk_job,
       (o.expected - o.carried)::float8 AS expected,
       CASE WHEN m.run_kind = 'delta' THEN o.read_until - interval '${OVERLAP}' END AS since
     FROM migration_objects o JOIN migrations m ON m.organization_id = o.organization_id AND m.id = o.migration_id
     WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.in_run AND o.status IN ('pending', 'running')
     ORDER BY o.position`,
    [run.organizationId, run.migrationId],
  );
  return found.rows;
}

/** All objects of the run, in the order of import. */
export async function listSelectedObjects(run: RunKey): Promise<SourceObjectName[]> {
  const found = await pool().query<{ object: SourceObjectName }>(
    `SELECT object FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 AND in_run
     ORDER BY position`,
    [run.organizationId, run.migrationId],
  );
  return found.rows.map(({ object }) => object);
}

/** Stores the expected number of records of an object. */
export async function setExpected(run: RunKey, object: SourceObjectName, records: number): Promise<void> {
  await pool().query(
    `UPDATE migration_objects SET expected = $4 + carried
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND expected IS NULL AND ${inThisRun("$5")}`,
    [run.organizationId, run.migrationId, object, records, run.runNumber],
  );
}

/** Stores by which API an object is read, unless that is decided already. */
export async function setApi(run: RunKey, object: SourceObjectName, { api, reason }: ApiChoice): Promise<void> {
  await pool().query(
    `UPDATE migration_objects SET api = $4, api_reason = $5
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND api IS NULL AND ${inThisRun("$6")}`,
    [run.organizationId, run.migrationId, object, api, reason, run.runNumber],
  );
}

export async function startObject(run: RunKey, object: SourceObjectName): Promise<void> {
  await pool().query(
    `UPDATE migration_objects SET status = 'running', started_at = coalesce(started_at, now()),
       read_until = (SELECT CASE WHEN m.run_kind = 'full' THEN m.read_until ELSE migration_objects.read_until END
         FROM migrations m WHERE m.organization_id = $1 AND m.id = $2)
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND status = 'pending' AND ${inThisRun("$4")}`,
    [run.organizationId, run.migrationId, object, run.runNumber],
  );
}

/** Locks the progress of the object. False: the run was stopped, or another worker has gone further. */
export type LockProgress = (client: PoolClient) => Promise<boolean>;

/**
 * Locks the progress of an object for the transaction, if this run is still running and the checkpoint is `checkpoint`.
 * False: the run was stopped, or another worker has gone further. The caller must not write anything then. Locks the
 * migration first (PostgreSQL locks in the order of these clauses), as what ends a run does: else each waits for the
 * other.
 */
export async function lockAtCheckpoint(
  client: PoolClient,
  run: RunKey,
  object: SourceObjectName,
  checkpoint: string | null,
): Promise<boolean> {
  const locked = await client.query(
    `SELECT 1 FROM migrations m
     JOIN migration_objects o ON o.organization_id = m.organization_id AND o.migration_id = m.id
     WHERE m.organization_id = $1 AND m.id = $2 AND m.status = 'running' AND m.run_number = $3
       AND o.object = $4 AND o.status = 'running' AND o.checkpoint IS NOT DISTINCT FROM $5
     FOR SHARE OF m FOR UPDATE OF o`,
    [run.organizationId, run.migrationId, run.runNumber, object, checkpoint],
  );
  return locked.rowCount === 1;
}
