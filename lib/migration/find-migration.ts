import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { ARE_CHOICES_CHANGED } from "@/lib/migration/configuration/configuration-tags";
import type { Migration, MigrationStatus, ObjectProgress } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { waitingOf, type WaitingRow } from "@/lib/migration/pipeline/waiting";
import { migrationNotFound } from "@/lib/migration/migration-key";

type ProgressRow = Omit<ObjectProgress, "resource" | "reconciled" | "object" | "read_in_run"> & {
  object: SourceObjectName;
  carried: number;
  phase: number;
  in_run: boolean;
  has_begun: boolean;
  /** Whether it has been read in the run, and no undo has removed what was read. */
  is_read: boolean;
  /** Whether it was read to its end, and an undo has come since. */
  is_outdated: boolean;
};

type UndoProgress = NonNullable<Migration["undo"]>["resources"][number];

interface Row extends WaitingRow {
  id: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  run_number: number;
  run_kind: Migration["run_kind"];
  api_requests: number;
  delta_every_minutes: number | null;
  delta_next_at: Date | null;
  ext_instance_url: string;
  org_name: string | null;
  connected_as: string | null;
  connected: boolean;
  renewable: boolean;
  has_proof: boolean;
  undo_started_at: Date | null;
  undo_finished_at: Date | null;
  is_undo_failed: boolean;
  objects: ProgressRow[] | null;
  undone: UndoProgress[] | null;
  files: Migration["files"];
}

/** SQL: whether what has failed of the migration `m` is its undo: no run has begun since that. */
export const IS_UNDO_FAILED = `(m.status = 'failed' AND m.undo_finished_at IS NULL
  AND coalesce(m.undo_started_at > m.started_at, false))`;

const SELECT = `SELECT m.id, m.status, m.created_at, m.updated_at, m.started_at, m.finished_at, m.run_number,
    m.run_kind, m.failure, m.wakes_at, m.api_requests, m.undo_started_at, m.undo_finished_at,
    ${IS_UNDO_FAILED} AS is_undo_failed,
    m.delta_every_minutes, m.delta_next_at, c.ext_instance_url, c.source_org_name AS org_name,
    c.source_username AS connected_as, c.access_token_enc IS NOT NULL AS connected,
    c.refresh_token_enc IS NOT NULL AS renewable, progress.objects, undo.resources AS undone,
    EXISTS (SELECT FROM migration_proofs p WHERE p.organization_id = m.organization_id AND p.migration_id = m.id)
      AS has_proof,
    (SELECT min(r.created_at) FROM job_requests r WHERE r.migration_id = m.id AND r.attempts > 0)
      AS engine_waits_since,
    CASE WHEN m.status = 'analyzing' AND m.report IS NULL THEN EXISTS (SELECT FROM (
        SELECT status, report IS NOT NULL AS has_begun FROM migrations other
        WHERE other.organization_id = m.organization_id AND other.id < m.id ORDER BY other.id DESC LIMIT 20
      ) AS earlier WHERE status = 'analyzing' AND has_begun) ELSE false END AS is_queued,
    (SELECT json_build_object('stored', f.stored, 'unchanged', f.unchanged, 'skipped', f.skipped, 'failed', f.failed,
       'bytes', f.bytes, 'seconds', round(extract(epoch FROM coalesce(f.finished_at, now()) - f.started_at), 1),
       'finished', f.finished_at IS NOT NULL, 'left_out', f.left_out)
     FROM migration_files f WHERE f.organization_id = m.organization_id AND f.migration_id = m.id
       AND f.run_number = m.run_number) AS files
  FROM migrations m JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('object', o.object, 'status', o.status, 'expected', o.expected,
      'source', o.source, 'created', o.created, 'updated', o.updated, 'unchanged', o.unchanged, 'skipped', o.skipped,
      'failed', o.failed, 'deleted', o.deleted, 'carried', o.carried, 'api', o.api, 'api_reason', o.api_reason,
      'phase', o.phase, 'choices_changed', ${ARE_CHOICES_CHANGED},
      'in_run', o.in_run, 'is_read', o.read_until IS NOT NULL AND NOT o.has_stale_issues,
      'is_outdated', o.status = 'done' AND o.are_deletions_done AND o.read_until IS NULL,
      'has_begun', o.in_run OR o.started_at IS NOT NULL) ORDER BY o.position) AS objects
    FROM migration_objects o WHERE o.organization_id = m.organization_id AND o.migration_id = m.id
      AND o.position >= 0
  ) progress ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('resource', resource, 'expected', expected, 'deleted', deleted,
      'restored', restored, 'kept', kept, 'done', done) ORDER BY position) AS resources
    FROM (
      SELECT resource, max(position) AS position,
        CASE WHEN bool_and(expected IS NOT NULL) THEN sum(expected) END AS expected,
        coalesce(sum(s.done) FILTER (WHERE action = 'delete'), 0) AS deleted,
        coalesce(sum(s.done) FILTER (WHERE action = 'restore'), 0) AS restored, sum(kept) AS kept,
        bool_and(is_done) AS done
      FROM migration_undo_steps s WHERE s.organization_id = m.organization_id AND s.migration_id = m.id
      GROUP BY resource
    ) AS by_resource
  ) undo ON true`;

const RUN_ENDED = new Set<MigrationStatus>([
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
  "undoing",
  "undone",
]);

/** The statuses in which a stored failure is why the migration stands still. */
const STOPPED = new Set<MigrationStatus>(["analysis_failed", "failed", "paused"]);

/**
 * A migration in the form that every endpoint returns, as the transaction of `client` sees it, if there is one. Throws
 * `not_found`, also for one of another organization.
 */
export async function findMigration(
  organizationId: string,
  migrationId: string,
  client: Pick<PoolClient, "query"> = pool(),
): Promise<Migration> {
  const text = `${SELECT} WHERE m.organization_id = $1 AND m.id = $2`;
  const { rows } = await client.query<Row>(text, [organizationId, idOrNull(migrationId)]);
  const [row] = rows;
  if (!row) throw migrationNotFound();
  return viewOf(row);
}

export const LIST = `${SELECT} WHERE m.organization_id = $1 AND m.id < $2 ORDER BY m.id DESC LIMIT $3`;

/** Apart from the other: with a condition for any case, PostgreSQL would read all migrations and sort them. */
const LIST_OF_ORG = `${SELECT} WHERE m.organization_id = $1 AND m.id < $2
  AND c.ext_instance_url = $4 ORDER BY m.id DESC LIMIT $3`;

/** Migrations older than the cursor, newest first; with `instanceUrl` those of one org. */
export async function findMigrations(
  organizationId: string,
  { cursor, limit, instanceUrl }: { cursor?: string | undefined; limit: number; instanceUrl?: string | undefined },
): Promise<Migration[]> {
  const values = [organizationId, cursor ?? MAX_UUID, limit];
  const found = await (instanceUrl === undefined
    ? pool().query<Row>(LIST, values)
    : pool().query<Row>(LIST_OF_ORG, [...values, instanceUrl]));
  return found.rows.map(viewOf);
}

function viewOf(row: Row): Migration {
  const rows = row.objects ?? [];
  const objects = rows.filter((each) => each.has_begun).map((each) => progressOf(each, row.run_kind));
  return {
    migration_id: row.id,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    run_number: row.run_number,
    run_kind: row.run_kind,
    delta_schedule: scheduleOf(row),
    ext_instance_url: row.ext_instance_url,
    org_name: row.org_name,
    connected_as: row.connected_as,
    connected: row.connected,
    renewable: row.renewable,
    objects,
    phases: phasesOf(row.status, rows),
    files: row.files,
    outdated_by_undo: rows.some(({ is_outdated: isOutdated }) => isOutdated),
    reconciled: RUN_ENDED.has(row.status) ? objects.length > 0 && objects.every(({ reconciled }) => reconciled) : null,
    failure: failureOf(row),
    waiting: waitingOf(row),
    api_requests: row.api_requests,
    has_proof: row.has_proof,
    undo: undoOf(row),
  };
}

/** A run that a person paused while it was waiting has no failure. */
function failureOf({ status, failure }: Row): Migration["failure"] {
  return STOPPED.has(status) && !failure?.since ? failure : null;
}

function scheduleOf({ status, delta_every_minutes: minutes, delta_next_at: next }: Row): Migration["delta_schedule"] {
  const isOver = status === "undoing" || status === "undone";
  return minutes !== null && next && !isOver ? { every_minutes: minutes, next_at: next.toISOString() } : null;
}

function undoOf({ undo_started_at: started, undo_finished_at: finished, undone, ...row }: Row): Migration["undo"] {
  if (!started) return null;
  return {
    started_at: started.toISOString(),
    finished_at: finished?.toISOString() ?? null,
    failed: row.is_undo_failed,
    resources: undone ?? [],
  };
}

function progressOf(progress: ProgressRow, kind: Migration["run_kind"]): ObjectProgress {
  const { phase: _phase, in_run: _inRun, has_begun: _hasBegun, is_read: isRead, carried: _carried, ...rest } = progress;
  const { is_outdated: _isOutdated, ...row } = rest;
  const accounted = accountedFor(progress);
  return {
    ...row,
    read_in_run: readInRun(progress, kind),
    resource: SOURCE_OBJECTS[row.object].resource,
    reconciled: row.status === "done" && isRead && row.source === accounted,
  };
}

function accountedFor({ created, updated, unchanged, skipped, failed }: ProgressRow): number {
  return created + updated + unchanged + skipped + failed;
}

/**
 * What was carried over from the runs before is counted with what a delta has read, and is no longer carried once it is
 * read: what was left out before and lies in the window is expected twice until the object is done. A retry expects
 * nothing else, and changes no other count by what it reads.
 */
function readInRun(progress: ProgressRow, kind: Migration["run_kind"]): ObjectProgress["read_in_run"] {
  const { expected, carried, in_run: isInRun } = progress;
  if (kind === "full" || !isInRun || expected === null) return null;
  if (kind === "retry") return { done: Math.max(0, expected - carried), total: expected };
  const done = Math.max(0, accountedFor(progress) - carried);
  return { done, total: progress.status === "done" ? done : Math.max(done, expected - carried) };
}

function phasesOf(status: MigrationStatus, rows: readonly ProgressRow[]): Migration["phases"] {
  return [...Map.groupBy(rows, ({ phase }) => phase)]
    .toSorted(([one], [other]) => one - other)
    .map(([phase, own]) => ({
      phase,
      status: phaseStatus(status, own),
      objects: own.map(({ object }) => object),
    }));
}

function phaseStatus(run: MigrationStatus, rows: readonly ProgressRow[]): Migration["phases"][number]["status"] {
  if (rows.every(({ status }) => status === "done")) return "done";
  const isInRun = rows.some((row) => row.in_run);
  if (isInRun && (run === "running" || run === "paused")) return "running";
  return (isInRun && run === "failed") || rows.some(({ status }) => status === "failed") ? "failed" : "open";
}
