import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { changeMigration } from "@/lib/migration/change-migration";
import { isTransient } from "@/lib/migration/failure";
import { recordHistory, shortenHistory } from "@/lib/migration/history/record-history";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import { migration, type RunKey, type MigrationKey } from "@/lib/migration/migration-schema";
import { ACCOUNTED_FOR } from "@/lib/migration/pipeline/finish-run";
import { beginRun, startAndEnqueue, STARTED, type StartRequest } from "@/lib/migration/runs/begin-run";
import { addSelected, runObjects, SELECTED_AND_BEGUN } from "@/lib/migration/runs/run-objects";
import { migrationInput } from "@/lib/migration/migration-key";
import { ENDED, moveStatus } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

export const startMigrationDelta = defineOperation({
  name: "start_migration_delta",
  summary:
    "Import what was changed or deleted in Salesforce since the last run. Records that were deleted there are " +
    "deleted here unless somebody has edited them here; each can be restored for 30 days.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) =>
    changeMigration(context, migration_id, (client, key) =>
      startAndEnqueue(client, key, { action: "migration.delta_started", who: context }, startDelta),
    ),
});

/** Salesforce keeps deleted records in its recycle bin for 15 days. */
const MAX_DAYS = 14;

/**
 * Starts a delta in the transaction of the caller. What earlier runs left out stays listed and counted until the delta
 * reads it. Objects that were deselected since are left alone; those that were selected since are read whole. Throws
 * `illegal_state` when the last run has not read everything, or was so long ago that deletions would be missed.
 */
export async function startDelta(client: PoolClient, key: MigrationKey): Promise<RunKey> {
  await moveStatus(client, key, "running", { ...STARTED, started_at: new Date() }, { from: ENDED });
  const { run, stored } = await beginRun(client, key, "delta");
  const objects = runObjects(parseConfiguration(stored.configuration), stored.report?.inventory ?? []);
  const owned = [key.organizationId, key.migrationId, objects.map(({ object }) => object)];
  // What a delta that failed or was cancelled has left open is begun again from where the last complete run ended.
  const { rows } = await client.query<{ complete: boolean; recent: boolean }>(
    `SELECT coalesce(bool_and(read_until IS NOT NULL AND NOT has_stale_issues
         AND (source IS NOT DISTINCT FROM ${ACCOUNTED_FOR} OR NOT are_deletions_done)), false) AS complete,
       coalesce(bool_and(read_until > now() - interval '${MAX_DAYS} days'), true) AS recent
     FROM migration_objects WHERE ${SELECTED_AND_BEGUN}`,
    owned,
  );
  if (!rows[0]?.complete)
    throw new AppError(
      "illegal_state",
      "The last run did not read every record, or an undo has removed some since. Run the migration again: nothing " +
        "is imported twice.",
    );
  if (!rows[0].recent)
    throw new AppError(
      "illegal_state",
      `The last run was more than ${MAX_DAYS} days ago, and Salesforce forgets deletions after 15 days. Run the ` +
        "migration again; its proof then lists what is here and no longer there.",
    );
  await client.query(RESET, owned);
  await addSelected(client, key, objects);
  return run;
}

/** What was left out so far is carried over: it counts until the delta reads it. */
const RESET = `
  WITH left_out AS (
    SELECT object, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
      count(*) FILTER (WHERE outcome = 'failed') AS failed
    FROM migration_record_issues WHERE organization_id = $1 AND migration_id = $2 GROUP BY object
  )
  UPDATE migration_objects AS o SET in_run = true, status = 'pending', checkpoint = NULL, bulk_job = NULL,
    api = NULL, api_reason = NULL, expected = NULL, source = NULL,
    created = 0, updated = 0, unchanged = 0, deleted = 0,
    skipped = coalesce((SELECT skipped FROM left_out WHERE left_out.object = o.object), 0),
    failed = coalesce((SELECT failed FROM left_out WHERE left_out.object = o.object), 0),
    carried = coalesce((SELECT skipped + failed FROM left_out WHERE left_out.object = o.object), 0),
    are_deletions_done = false, started_at = CASE WHEN started_at IS NOT NULL THEN now() END, finished_at = NULL
  WHERE ${SELECTED_AND_BEGUN}`;

const IS_DUE = `delta_next_at <= now() AND status IN (${ENDED.map((status) => `'${status}'`).join(", ")})`;

interface Due {
  organization_id: string;
  id: string;
}

/** Each is begun in its own transaction. What is left is due at the next sweep, and then comes first. */
const MAX_PER_SWEEP = 500;

export const DUE_DELTAS = `
  SELECT organization_id, id FROM migrations WHERE ${IS_DUE} ORDER BY delta_next_at LIMIT ${MAX_PER_SWEEP}`;

/**
 * Starts the deltas that are due by their schedule, the longest overdue first. One that was missed is started once;
 * none beside another run of its migration. Returns how many were due.
 */
export async function startDueDeltas(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<Due>(DUE_DELTAS));
  for (const { organization_id: organizationId, id: migrationId } of rows)
    await inOrganization(organizationId, () => startOrTell({ organizationId, migrationId })).catch((error: unknown) =>
      log.warn({ migration_id: migrationId, err: error }, "a scheduled delta could not be started"),
    );
  return rows.length;
}

const SCHEDULED: StartRequest = { action: "migration.delta_started", who: null, details: { scheduled: true } };

/**
 * Starts a delta that is due. Nobody waits for the answer of a schedule, so a refusal is told in the history, and so is
 * a defect on our side. After a failure that passes the delta is still due, and the next sweep starts it.
 */
async function startOrTell(key: MigrationKey): Promise<void> {
  try {
    await transaction(async (client) => {
      if (await setNextTime(client, key)) await startAndEnqueue(client, key, SCHEDULED, startDelta);
    });
  } catch (error) {
    if (!isTransient(error)) await tellRefusal(key, error);
    throw error;
  }
}

async function tellRefusal(key: MigrationKey, error: unknown): Promise<void> {
  const reason = error instanceof AppError ? error.message : "Something went wrong here.";
  await transaction(async (client) => {
    if (!(await setNextTime(client, key))) return;
    await recordHistory(client, key, { event: "delta_refused", details: { reason } });
    await shortenHistory(client, key);
  });
}

/** False if the delta is no longer due: another process was first, or somebody has removed the schedule. */
async function setNextTime(client: PoolClient, key: MigrationKey): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE migrations SET delta_next_at = now() + delta_every_minutes * interval '1 minute'
     WHERE organization_id = $1 AND id = $2 AND ${IS_DUE}`,
    [key.organizationId, key.migrationId],
  );
  return rowCount === 1;
}
