import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { changeMigration } from "@/lib/migration/change-migration";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import { migration, type RunKey, type MigrationKey } from "@/lib/migration/migration-schema";
import { ACCOUNTED_FOR, BEGUN } from "@/lib/migration/pipeline/finish-run";
import { toRetry } from "@/lib/migration/pipeline/retry-object";
import { beginRun, startAndEnqueue, STARTED } from "@/lib/migration/runs/begin-run";
import { runObjects, SELECTED_AND_BEGUN, takeOut } from "@/lib/migration/runs/run-objects";
import { migrationInput } from "@/lib/migration/migration-key";
import { ENDED, moveStatus } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

export const retryMigration = defineOperation({
  name: "retry_migration",
  summary:
    "Read again only the records that failed in the last run, with the present configuration, and those that were " +
    "left out because of them. All other counts stay as they are.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) =>
    changeMigration(context, migration_id, (client, key) =>
      startAndEnqueue(client, key, { action: "migration.retried", who: context }, startRetry),
    ),
});

/**
 * Starts a retry of what failed, in the transaction of the caller. Every object that has begun is gone through again,
 * because records of one may have waited for those of another; those that were deselected since are left alone. What it
 * has to read is counted for its progress. Throws `illegal_state` when nothing failed, or when the last run has not
 * read everything, deletions included.
 */
export async function startRetry(client: PoolClient, key: MigrationKey): Promise<RunKey> {
  await moveStatus(client, key, "running", { ...STARTED, started_at: new Date() }, { from: ENDED });
  const { run, stored } = await beginRun(client, key, "retry");
  const selected = runObjects(parseConfiguration(stored.configuration), stored.report?.inventory ?? []);
  const objects = selected.map(({ object }) => object);
  await takeOut(client, key, objects);
  const owned = [key.organizationId, key.migrationId, objects];
  const { rows } = await client.query<{ failed: boolean; complete: boolean; are_deletions_done: boolean }>(
    `SELECT EXISTS (SELECT FROM migration_record_issues i WHERE i.organization_id = $1 AND i.migration_id = $2
         AND i.object = ANY ($3::text[]) AND ${toRetry("i")}) AS failed,
       coalesce(bool_and(source IS NOT DISTINCT FROM ${ACCOUNTED_FOR} AND read_until IS NOT NULL
         AND NOT has_stale_issues), false) AS complete,
       coalesce(bool_and(are_deletions_done), true) AS are_deletions_done
     FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 AND ${BEGUN}`,
    owned,
  );
  if (!rows[0]?.complete)
    throw new AppError(
      "illegal_state",
      "The last run did not read every record, or an undo has removed some since, so a retry of what failed is not " +
        "enough. Run the migration again: nothing is imported twice.",
    );
  if (!rows[0].are_deletions_done)
    throw new AppError(
      "illegal_state",
      "The last delta ended before it had looked for all deletions, and a retry does not look for any. Start a delta " +
        "first, or run the migration again: nothing is imported twice.",
    );
  if (!rows[0].failed)
    throw new AppError(
      "illegal_state",
      "No record of an object that is still selected failed in the last run and can be retried alone. Failed " +
        "duplicates come in by a full run.",
    );
  await client.query(
    `UPDATE migration_objects o
     SET in_run = true, status = 'pending', checkpoint = NULL, bulk_job = NULL, finished_at = NULL,
       (expected, carried) = (SELECT count(*), count(*) FROM migration_record_issues i
         WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = o.object AND ${toRetry("i")})
     WHERE ${SELECTED_AND_BEGUN}`,
    owned,
  );
  return run;
}
