import { pool } from "@/lib/database/db";
import { describeFailure } from "@/lib/migration/failure";
import { changeAndRecord, CHANGED } from "@/lib/migration/history/record-history";
import type { Failure, Migration, RunKey } from "@/lib/migration/migration-schema";
import { SalesforceError } from "@/lib/salesforce/errors";

/** How long a run keeps retrying a source that does not answer. */
export const WAITING_TIMEOUT_MS = 15 * 60_000;

const MIN_PAUSE_MS = 5000;

const MAX_PAUSE_MS = 60_000;

/** The maximum of a requested pause, so that the run does not exceed its timeout by much. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/**
 * The milliseconds until the next attempt after attempt `attempt` (from 0) failed. `retryAfterSeconds` is the pause
 * that the source requested.
 */
export function retryDelayAfter(attempt: number, retryAfterSeconds = 0): number {
  const pause = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** attempt);
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(pause, retryAfterSeconds * 1000));
}

/** The remedy of a run that waits for API requests. It tells this wait from that for a source that does not answer. */
const GOES_ON = "The run goes on by itself.";

/**
 * Stores with the migration that its source does not answer at the moment, and why. Returns whether that has been so
 * for too long. Errors of our own database and storage are retried as often as the job has attempts.
 */
export async function hasTimedOut(run: RunKey, error: unknown): Promise<boolean> {
  if (!(error instanceof SalesforceError)) return false;
  return (await noteWaiting(run, describeFailure(error, "migration"), null)) > WAITING_TIMEOUT_MS;
}

/**
 * Lets a run wait until `wakesAt` for API requests. Its job ends; `runs/wake-runs.ts` enqueues the next one. Does
 * nothing if the run was stopped.
 */
export async function waitForRequests(run: RunKey, detail: string, wakesAt: Date): Promise<void> {
  await noteWaiting(run, { code: "source_limit_exceeded", detail, remedy: GOES_ON }, wakesAt);
}

/**
 * Stores what a run waits for: API requests, or, without `wakesAt`, its source. The note is stored in `failure`, which
 * only counts as one with the status `failed`. Returns for how many milliseconds it has waited for the same.
 */
async function noteWaiting(run: RunKey, note: Failure, wakesAt: Date | null): Promise<number> {
  const noted = await changeAndRecord<{ waited: number }>(
    pool(),
    `UPDATE migrations AS m SET wakes_at = $6, failure = $4::jsonb || jsonb_build_object('since',
       CASE WHEN (failure ->> 'remedy' = '${GOES_ON}') = ($6::timestamptz IS NOT NULL)
         THEN coalesce(failure ->> 'since', $5) ELSE $5 END)
     WHERE organization_id = $1 AND id = $2 AND run_number = $3 AND status = 'running'
     RETURNING ${CHANGED}, failure ->> 'since' = $5 AS is_new,
       (extract(epoch FROM now() - (failure ->> 'since')::timestamptz) * 1000)::float8 AS waited`,
    [run.organizationId, run.migrationId, run.runNumber, JSON.stringify(note), new Date().toISOString(), wakesAt],
    { event: "waiting", details: { reason: note.detail } },
    "is_new",
  );
  return noted.rows[0]?.waited ?? 0;
}

/**
 * Pauses a run because Salesforce refuses the access of `connectionId` (null: of whichever it has), until the org is
 * connected again as the same user. `stopped`: the run was stopped, and may go on since, perhaps with another
 * connection, so it is not to be ended. `disconnected`: the org was disconnected here, which ends its runs.
 */
export async function pauseForSignIn(
  run: RunKey,
  connectionId: string | null,
  failure: Failure,
): Promise<"paused" | "stopped" | "disconnected"> {
  const paused = await changeAndRecord(
    pool(),
    `UPDATE migrations AS m SET status = 'paused', failure = $4, updated_at = now()
     WHERE organization_id = $1 AND id = $2 AND run_number = $3 AND status = 'running'
       AND m.connection_id = coalesce($5, m.connection_id) AND EXISTS (
       SELECT FROM connections c WHERE c.organization_id = $1 AND c.id = m.connection_id
         AND c.access_token_enc IS NOT NULL
     ) RETURNING ${CHANGED}`,
    [run.organizationId, run.migrationId, run.runNumber, JSON.stringify(failure), connectionId],
    { event: "paused", details: { reason: failure.detail, remedy: failure.remedy } },
  );
  if (paused.rowCount === 1) return "paused";
  const connected = await pool().query(
    `SELECT FROM migrations m JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
     WHERE m.organization_id = $1 AND m.id = $2 AND c.access_token_enc IS NOT NULL`,
    [run.organizationId, run.migrationId],
  );
  return connected.rowCount === 1 ? "stopped" : "disconnected";
}

/** Deletes the note when the source has answered. */
export async function stopWaiting(run: RunKey): Promise<void> {
  await changeAndRecord(
    pool(),
    `UPDATE migrations AS m SET failure = NULL, wakes_at = NULL
     WHERE organization_id = $1 AND id = $2 AND run_number = $3 AND status = 'running'
       AND (failure IS NOT NULL OR wakes_at IS NOT NULL) RETURNING ${CHANGED}`,
    [run.organizationId, run.migrationId, run.runNumber],
    { event: "went_on" },
  );
}

/** What says of a migration whether it waits. */
export interface WaitingRow {
  status: Migration["status"];
  updated_at: Date;
  /** While it has `since`, the run is waiting for its source and has not failed. */
  failure: (Failure & { since?: string }) | null;
  wakes_at: Date | null;
  /** Since when its job waits for an Inngest server that does not take it. */
  engine_waits_since: Date | null;
  /** Its analysis has not begun, and one of the organization that was asked for shortly before has. */
  is_queued: boolean;
}

const ENGINE_AWAY =
  "The server that runs the jobs cannot be reached at the moment. The migration goes on by itself once it answers; " +
  "nothing is lost.";

const OTHER_ANALYSIS = "Another org is being analyzed. This one is analyzed after it, in its turn.";

const AT_WORK = new Set<Migration["status"]>(["analyzing", "running", "undoing"]);

/** What a migration waits for, since when and why; null: it does not wait. */
export function waitingOf(row: WaitingRow): Migration["waiting"] {
  const { status, updated_at: updated, failure, wakes_at: wakes, engine_waits_since: engine } = row;
  if (engine && AT_WORK.has(status)) return waitingFor("job_engine", engine, ENGINE_AWAY);
  if (row.is_queued) return waitingFor("other_analysis", updated, OTHER_ANALYSIS);
  return status === "running" && failure?.since ? waitingForSource(failure, failure.since, wakes) : null;
}

function waitingFor(what: "job_engine" | "other_analysis", since: Date, reason: string): Migration["waiting"] {
  return { for: what, since: since.toISOString(), reason, next_attempt_at: null };
}

function waitingForSource({ detail, remedy }: Failure, since: string, wakes: Date | null): Migration["waiting"] {
  return {
    for: remedy === GOES_ON ? "api_requests" : "salesforce",
    since,
    reason: detail,
    next_attempt_at: wakes?.toISOString() ?? null,
  };
}
