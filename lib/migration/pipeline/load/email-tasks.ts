import type { PoolClient } from "pg";

import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { noteUnsearched } from "@/lib/migration/pipeline/files/file-progress";
import { removeRecords, type Removing } from "@/lib/migration/pipeline/load/before-images";
import { countAsSkipped } from "@/lib/migration/pipeline/load/count-as-skipped";
import { type Plan, type ShapePlan, shapesOf } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Row } from "@/lib/migration/pipeline/map/transform";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** An e-mail and the Task that is its copy (EmailMessage.ActivityId). */
export interface Alias {
  ext_id: string;
  alias: string;
}

/**
 * Stores which Tasks are copies of stored e-mails. A Task that an earlier run imported, because its e-mail failed then
 * or the Task was open, is deleted, and counts as skipped. Returns the reasons of these, to be stored.
 */
export async function storeAliases(
  client: PoolClient,
  plan: ShapePlan,
  run: Removing,
  aliases: readonly Alias[],
): Promise<Issue[]> {
  const added = await addAliases(client, plan, run, aliases);
  if (added.length === 0) return [];
  const issues = mirroredIssues(added);
  const removed = await removeRecords(client, run, "activities", [...issues.keys()]);
  const moved = await countAsSkipped(client, run, "Task", removed);
  return moved.flatMap(({ ext_id }) => issues.get(ext_id) ?? []);
}

/** Forgets that Tasks were copies of e-mails: they are open again, and are imported when they are read. */
export async function removeAliases(
  client: PoolClient,
  organizationId: string,
  openTasks: readonly string[],
): Promise<void> {
  if (openTasks.length === 0) return;
  await client.query(
    `DELETE FROM ext_aliases
     WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) AND starts_with(ext_id, '${KEY_PREFIXES.Task}')`,
    [organizationId, openTasks],
  );
}

/** Adds those of the e-mails of a shape that are here, and returns them. A Task of two e-mails belongs to the first. */
async function addAliases(
  client: PoolClient,
  { shape: { resource } }: ShapePlan,
  { organizationId, migrationId }: MigrationKey,
  aliases: readonly Alias[],
): Promise<Copy[]> {
  if (aliases.length === 0) return [];
  const { rows } = await client.query<Copy>(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     SELECT $1::uuid, a.alias, $3, t.id, $4::uuid FROM json_to_recordset($2::json) AS a(ext_id text, alias text)
     JOIN ${resource} t ON t.organization_id = $1::uuid AND t.ext_id = a.ext_id
     ON CONFLICT (organization_id, ext_id) DO NOTHING RETURNING ext_id, record_id`,
    [organizationId, JSON.stringify(aliases), resource, migrationId],
  );
  const added = rows.map(({ ext_id }) => ext_id);
  await noteUnsearched(client, { organizationId, migrationId }, added);
  return rows;
}

/**
 * Gives Tasks that are listed as copies of e-mails which were deleted here to other e-mails that are here, and lists
 * them as copies of those. Returns the Tasks.
 */
export async function giveToOtherEmails(
  client: PoolClient,
  plan: Plan,
  key: MigrationKey,
  aliases: readonly Alias[],
): Promise<string[]> {
  const given: Copy[] = [];
  for (const shape of shapesOf(plan)) given.push(...(await addAliases(client, shape, key, aliases)));
  await client.query(
    `UPDATE migration_record_issues i SET value = g.record_id
     FROM json_to_recordset($3::json) AS g(ext_id text, record_id text)
     WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = 'Task' AND i.ext_id = g.ext_id`,
    [key.organizationId, key.migrationId, JSON.stringify(given)],
  );
  return given.map(({ ext_id }) => ext_id);
}

/** A task and the e-mail that it is a copy of. */
interface Copy {
  ext_id: string;
  record_id: string;
}

/** The tasks of a page that are copies of imported e-mails. */
export async function findMirroredTasks(
  client: PoolClient,
  organizationId: string,
  rows: readonly Row[],
): Promise<Map<string, Issue>> {
  const found = await client.query<Copy>(
    `SELECT ext_id, record_id FROM ext_aliases WHERE organization_id = $1 AND ext_id = ANY($2::text[])`,
    [organizationId, rows.map((row) => row.ext_id)],
  );
  return mirroredIssues(found.rows);
}

function mirroredIssues(copies: readonly Copy[]): Map<string, Issue> {
  const reason =
    "This task is Salesforce's copy of an e-mail. The e-mail itself is imported, together with what only the task " +
    "contains.";
  return new Map(
    copies.map(({ ext_id, record_id }) => [
      ext_id,
      issueOf(ext_id, "skipped", "mirrored_by_email", reason, "Id", record_id),
    ]),
  );
}
