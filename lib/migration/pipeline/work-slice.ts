import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";
import { takeNewerConnection } from "@/lib/migration/connections/supersede-connections";
import { searchBeforeReading } from "@/lib/migration/duplicates/search-in-run";
import { describeFailure, isTransient, logFailure, namingObject, orgDisconnected } from "@/lib/migration/failure";
import type { RunKey } from "@/lib/migration/migration-schema";
import { ApiLimitReached, assertWithinLimit, LOOK_AGAIN_MS, storeApiUsage } from "@/lib/migration/pipeline/api-budget";
import { deleteGone } from "@/lib/migration/pipeline/deletions/delete-gone";
import { countObjects } from "@/lib/migration/pipeline/count-objects";
import { copyFiles, wantsFiles } from "@/lib/migration/pipeline/files/copy-files";
import { finishObject } from "@/lib/migration/pipeline/finish/finish-object";
import { failRun, finishRun } from "@/lib/migration/pipeline/finish-run";
import { closeSession, type OpenConnection, sessionOf } from "@/lib/migration/pipeline/open-session";
import {
  startObject,
  isDelta,
  isRunning,
  listUnfinishedObjects,
  type ObjectProgressRow,
} from "@/lib/migration/pipeline/progress";
import { deleteLeftJobs } from "@/lib/migration/pipeline/read/bulk-job";
import { readObject, type Reading } from "@/lib/migration/pipeline/read-object";
import { retryObject } from "@/lib/migration/pipeline/retry-object";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { hasTimedOut, pauseForSignIn, stopWaiting, waitForRequests } from "@/lib/migration/pipeline/waiting";
import { deleteStaleIssues } from "@/lib/migration/runs/stale-issues";
import { unlessEnded } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";

/** `more`: call again · `ended`: the run has ended or was paused · else call again after some milliseconds. */
export type SliceOutcome = "more" | "ended" | { wait_ms: number };

/**
 * Works on a run for about `milliseconds` from where the last slice stopped. All progress is in the database, so a
 * slice that is killed can be repeated. Throws transient errors, so that the job retries, until the source
 * {@link hasTimedOut}. A run without API requests waits; a refused access pauses it; all other errors end it in
 * `failed`.
 */
export async function workSlice(
  run: RunKey,
  openConnection: OpenConnection,
  milliseconds: number,
): Promise<SliceOutcome> {
  try {
    const outcome = await work(run, openConnection, performance.now() + milliseconds);
    if (outcome === "ended") await endSession(run, openConnection);
    return outcome;
  } catch (error) {
    const connectionId = closeSession(run);
    if (await waitInstead(run, error)) return "ended";
    if (isTransient(error) && !(await hasTimedOut(run, error))) throw error;
    await failRunAfter(run, error, connectionId);
    await endSession(run, openConnection);
    return "ended";
  }
}

/** Lets a run wait whose API requests are used up, in the org or by the user's choice. False: another error. */
async function waitInstead(run: RunKey, error: unknown): Promise<boolean> {
  const isUsedUp = error instanceof SalesforceError && error.code === "source_limit_exceeded" && !error.transient;
  if (error instanceof ApiLimitReached) await waitForRequests(run, error.message, error.next);
  else if (isUsedUp) await waitForRequests(run, error.message, new Date(Date.now() + LOOK_AGAIN_MS));
  else return false;
  return true;
}

/** Ends the work on a run in this process, and deletes at Salesforce what it leaves behind there. */
async function endSession(run: RunKey, openConnection: OpenConnection): Promise<void> {
  await deleteLeftJobs(run, async () => (await sessionOf(run, openConnection)).client).catch((error: unknown) =>
    log.warn({ migration_id: run.migrationId, err: error }, "the jobs of the Bulk API could not be deleted"),
  );
  closeSession(run);
}

/**
 * Pauses a run whose access was refused; ends it in `failed` after any other permanent error. Leaves a run unchanged
 * that was stopped meanwhile, or has another connection than `connectionId` since. Null: of whatever connection.
 */
export async function failRunAfter(run: RunKey, error: unknown, connectionId: string | null): Promise<void> {
  let cause = error;
  if (error instanceof SalesforceError && error.code === "source_token_refused") {
    const outcome = await pauseForSignIn(run, connectionId, describeFailure(error, "paused migration"));
    if (outcome === "paused") return takeNewerConnection(run);
    if (outcome === "stopped") return;
    // Also where Salesforce has refused the access because it was revoked there.
    cause = orgDisconnected();
  }
  const failure = describeFailure(cause, "migration");
  logFailure({ work: "migration", ...run }, failure, cause);
  await unlessEnded(failRun(run, failure));
}

async function work(run: RunKey, openConnection: OpenConnection, deadline: number): Promise<SliceOutcome> {
  if (!(await deleteStaleIssues(run, deadline))) return "more";
  while (await isRunning(run)) {
    const objects = await listUnfinishedObjects(run);
    const [current] = objects;
    if (!current) {
      if (!(await workAfterObjects(run, openConnection, deadline))) return "more";
      await finishRun(pool(), run);
      return "ended";
    }
    const session = await sessionOf(run, openConnection);
    assertWithinLimit(session.api);
    try {
      if (!(await countObjects(session, objects, deadline))) return "more";
      await startObject(run, current.object);
      const outcome = await namingObject(current.object, () => workObject(session, current, deadline));
      if (outcome !== null) return outcome;
    } finally {
      await storeApiUsage(run, session.api);
    }
    if (performance.now() >= deadline) return "more";
  }
  return "ended";
}

/** Reads an object, and finishes it once all is read. Null: go on, with this object or the next, if there is time. */
async function workObject(
  session: RunSession,
  progress: ObjectProgressRow,
  deadline: number,
): Promise<SliceOutcome | null> {
  const reading = await read(session, progress, deadline);
  await stopWaiting(session.run);
  if (reading.outcome === "waiting") return { wait_ms: reading.milliseconds };
  if (reading.outcome !== "read") return null;
  return (await finishObject(session, progress, reading.checkpoint, deadline)) ? null : "more";
}

/** Reads an object from its checkpoint: all of it, or what failed. */
async function read(session: RunSession, progress: ObjectProgressRow, deadline: number): Promise<Reading> {
  if (session.kind === "retry") return retryObject(session, progress, deadline);
  const isSearched = await searchBeforeReading(session, progress.object, deadline);
  return isSearched ? readObject(session, progress, deadline) : { outcome: "time_up" };
}

/** What a run does once its objects are read: takes over deletions, and copies files. False: there is more to do. */
async function workAfterObjects(run: RunKey, openConnection: OpenConnection, deadline: number): Promise<boolean> {
  const wants = await wantsFiles(run);
  if (!wants && !(await isDelta(run))) return true;
  const session = await sessionOf(run, openConnection);
  // Its requests count against the limit of the run as those for records do.
  assertWithinLimit(session.api);
  try {
    if (session.kind === "delta" && !(await deleteGone(session, deadline))) return false;
    return !wants || (await copyFiles(session, deadline));
  } finally {
    await storeApiUsage(run, session.api);
  }
}
