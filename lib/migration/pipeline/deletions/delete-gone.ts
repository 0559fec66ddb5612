import type { PoolClient } from "pg";

import { pool, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { keepRemoved } from "@/lib/migration/pipeline/load/before-images";
import { EDITED_HERE } from "@/lib/migration/pipeline/load/keep-edited";
import { forgetIssues } from "@/lib/migration/pipeline/object-counts";
import { storeIssues } from "@/lib/migration/pipeline/load/store-outcomes";
import { issueOf } from "@/lib/migration/pipeline/map/transform";
import { type DeletedPart, divideByMerges, followMerges } from "@/lib/migration/pipeline/deletions/follow-merges";
import { findSuccessors, type Successors, takeOver } from "@/lib/migration/pipeline/deletions/merged-successors";
import { readGone } from "@/lib/migration/pipeline/deletions/read-gone";
import { importTasksOfDeletedEmails } from "@/lib/migration/pipeline/deletions/tasks-of-deleted-emails";
import { isRunning, type LockProgress, OVERLAP } from "@/lib/migration/pipeline/progress";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";
import { deleteLocked, lockDeletionsExclusive, lockParts } from "@/lib/records/delete/delete-record";
import { ENTITIES, relationsTo } from "@/lib/records/schema/registry";
import { lockRecords } from "@/lib/records/write/lock-records";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Pending {
  object: SourceObjectName;
  checkpoint: string | null;
  /** Null: the delta has read the object for the first time, so nothing of it is to be deleted. */
  since: Date | null;
  /** Who deletes: whoever made the migration. */
  user_id: string;
}

/**
 * Whether an undo of the same org has gone on beside the run of `m`. It may have taken out what an object had been
 * found to have, after that was read.
 */
const IS_UNDONE_MEANWHILE = `EXISTS (SELECT FROM migrations own
  WHERE own.organization_id = m.organization_id AND own.id <> m.id
    AND own.report #>> '{org,id}' = m.report #>> '{org,id}'
    AND own.undo_started_at IS NOT NULL AND coalesce(own.undo_finished_at, now()) >= m.started_at)`;

/** Parts before what they are parts of. An object of which records are missing is begun again by the next delta. */
const NEXT = `
  SELECT o.object, o.checkpoint, o.read_until - interval '${OVERLAP}' AS since, m.created_by_id AS user_id
  FROM migration_objects o JOIN migrations m ON m.organization_id = o.organization_id AND m.id = o.migration_id
  WHERE o.organization_id = $1 AND o.migration_id = $2 AND m.run_number = $3 AND m.status = 'running'
    AND o.in_run AND o.status = 'done' AND NOT o.are_deletions_done
  ORDER BY o.position DESC LIMIT 1`;

/**
 * Deletes here what was deleted in the source in the window of a delta, unless somebody has edited it here; until
 * `deadline`, from where the run left off. Then the objects count as read until the end of the window, unless an undo
 * went on meanwhile. Returns false if there is more to do, or if the run was stopped.
 */
export async function deleteGone(session: RunSession, deadline: number): Promise<boolean> {
  const { organizationId, migrationId, runNumber } = session.run;
  for (;;) {
    const { rows } = await pool().query<Pending>(NEXT, [organizationId, migrationId, runNumber]);
    const [pending] = rows;
    // A run that was stopped has nothing pending either.
    if (!pending) return isRunning(session.run);
    if (!(await deleteOfObject(session, pending, deadline))) return false;
  }
}

/** False: there is more to do, the run was stopped, or another worker has gone further. */
async function deleteOfObject(session: RunSession, pending: Pending, deadline: number): Promise<boolean> {
  const { object } = pending;
  let { checkpoint } = pending;
  const lock: LockProgress = (client) => lockPending(client, session, { ...pending, checkpoint });
  for await (const { ids, survivors } of readParts(session, pending)) {
    await stopWaiting(session.run);
    if (!(await followMerges(session, object, survivors, lock))) return false;
    const page = { ids, successors: await findSuccessors(session, object, ids) };
    if (!(await deletePage(session, { ...pending, checkpoint }, page))) return false;
    checkpoint = ids.at(-1) ?? null;
    if (performance.now() >= deadline || isLimitReached(session.api)) return false;
  }
  if (object === "EmailMessage" && !(await importTasksOfDeletedEmails(session, deadline, lock))) return false;
  session.deleted.delete(object);
  const { rowCount } = await pool().query(
    `UPDATE migration_objects o SET are_deletions_done = true, checkpoint = NULL,
       read_until = CASE WHEN NOT ${IS_UNDONE_MEANWHILE} THEN m.read_until END
     FROM migrations m
     WHERE m.organization_id = $1 AND m.id = $2 AND m.run_number = $4 AND m.status = 'running'
       AND o.organization_id = $1 AND o.migration_id = $2 AND o.object = $3 AND o.checkpoint IS NOT DISTINCT FROM $5`,
    [session.run.organizationId, session.run.migrationId, object, session.run.runNumber, checkpoint],
  );
  return rowCount === 1;
}

/** What was deleted in the source after the checkpoint of an object, in parts whose merges are followed together. */
async function* readParts(session: RunSession, { object, since, checkpoint }: Pending): AsyncGenerator<DeletedPart> {
  if (!since) return;
  const window = { ...session.window, since };
  for await (const ids of readGone(session, object, window, checkpoint))
    yield* await divideByMerges(session, object, since, ids);
}

interface GonePage {
  ids: readonly string[];
  successors: Successors;
}

/** False: the run was stopped, or another worker has gone further. */
function deletePage(session: RunSession, pending: Pending, page: GonePage): Promise<boolean> {
  const { run } = session;
  const { ids } = page;
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lockPending(client, session, pending))) return false;
    await lockDeletionsExclusive(client, run.organizationId);
    const left = await forgetIssues(client, run, pending.object, ids);
    const { deleted, edited } = await deleteHere(client, session, pending, page);
    const issues = edited.map((extId) =>
      issueOf(
        extId,
        "skipped",
        EDITED_HERE,
        "It was deleted in Salesforce, and somebody has edited it here.",
        "Id",
        extId,
      ),
    );
    await storeIssues(client, run, pending.object, issues);
    await client.query(
      `UPDATE migration_objects SET deleted = deleted + $4, failed = failed - $5, skipped = skipped + $6,
         source = source - $5 + $6, carried = carried - $7, checkpoint = $8
       WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
      [
        run.organizationId,
        run.migrationId,
        pending.object,
        deleted,
        left.failed,
        issues.length - left.skipped,
        left.failed + left.skipped,
        ids.at(-1),
      ],
    );
    return true;
  });
}

async function lockPending(client: PoolClient, { run }: RunSession, { object, checkpoint }: Pending): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM migrations m
     JOIN migration_objects o ON o.organization_id = m.organization_id AND o.migration_id = m.id
     WHERE m.organization_id = $1 AND m.id = $2 AND m.status = 'running' AND m.run_number = $3 AND o.object = $4
       AND NOT o.are_deletions_done AND o.checkpoint IS NOT DISTINCT FROM $5
     FOR SHARE OF m FOR UPDATE OF o`,
    [run.organizationId, run.migrationId, run.runNumber, object, checkpoint],
  );
  return rowCount === 1;
}

interface Here {
  id: string;
  ext_id: string;
  is_edited: boolean;
}

/**
 * Deletes the records of these source ids that are here as they were imported, each with its parts. A record into which
 * another source record was merged that still exists becomes the record of that one.
 */
async function deleteHere(
  client: PoolClient,
  session: RunSession,
  { object, user_id: userId }: Pending,
  { ids, successors }: GonePage,
): Promise<{ deleted: number; edited: string[] }> {
  const { run, configuration } = session;
  const context = { organizationId: run.organizationId, userId };
  const edited: string[] = [];
  let deleted = 0;
  for (const resource of resourcesOf(SOURCE_OBJECTS[object])) {
    const rows = await lockHere(client, run.organizationId, resource, ids);
    edited.push(...rows.flatMap((row) => (row.is_edited ? [row.ext_id] : [])));
    const unedited = rows.filter((row) => !row.is_edited);
    const succeeded = unedited.flatMap(({ id, ext_id }) => {
      const successor = successors.get(ext_id);
      return successor === undefined ? [] : [{ id, ext_id: successor }];
    });
    const taken = await takeOver(client, session, resource, succeeded);
    const gone = unedited.flatMap(({ id }) => (taken.has(id) ? [] : [id]));
    if (gone.length === 0) continue;
    await keepRemoved(client, run, resource, "id", gone);
    for (const { from, field } of relationsTo(resource).filter(({ isPart }) => isPart))
      await keepRemoved(client, run, from.resource, field, gone);
    const records = await lockRecords(client, ENTITIES[resource], run.organizationId, gone, "UPDATE");
    const deletion = { client, context, migrationId: run.migrationId, emits: configuration.send_events };
    await deleteLocked(deletion, ENTITIES[resource], records);
    deleted += records.length;
  }
  return { deleted, edited };
}

/** Whether somebody has edited a row, which is deleted with it if it is a part. */
const isEdited = (row: string): string => `${row}.version IS DISTINCT FROM ${row}.imported_version`;

/** Locks the records of these source ids with their parts. Then reads what others committed before the locks. */
async function lockHere(
  client: PoolClient,
  organizationId: string,
  resource: ResourceName,
  extIds: readonly string[],
): Promise<Here[]> {
  const locked = await client.query<{ id: string }>(
    `SELECT id FROM ${resource} WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) ORDER BY id FOR UPDATE`,
    [organizationId, extIds],
  );
  const ids = locked.rows.map(({ id }) => id);
  await lockParts(client, organizationId, resource, ids);
  return (await client.query<Here>(hereText(resource), [organizationId, ids])).rows;
}

function hereText(resource: ResourceName): string {
  const parts = relationsTo(resource).flatMap(({ from, field, isPart }) =>
    isPart
      ? [
          `EXISTS (SELECT FROM ${from.resource} AS p
             WHERE p.organization_id = $1 AND p."${field}" = t.id AND ${isEdited("p")})`,
        ]
      : [],
  );
  return `SELECT t.id, t.ext_id, ${[isEdited("t"), ...parts].join(" OR ")} AS is_edited FROM ${resource} AS t
    WHERE t.organization_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`;
}
