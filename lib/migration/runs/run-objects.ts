import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { mappingTags } from "@/lib/migration/configuration/configuration-tags";
import { phaseOf } from "@/lib/migration/configuration/phases";
import { isImported } from "@/lib/migration/objects/imported-objects";
import {
  IMPORT_ORDER,
  importPosition,
  isSelectable,
  type SourceObjectName,
  NOTHING_SELECTED,
} from "@/lib/migration/objects/source-object-names";
import { ACCOUNTED_FOR, BEGUN } from "@/lib/migration/pipeline/finish-run";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { forgetObjects } from "@/lib/migration/runs/stale-issues";

/** SQL: the objects $3 of a migration, as far as they have begun. $1: the organization, $2: the migration. */
export const SELECTED_AND_BEGUN = `organization_id = $1 AND migration_id = $2
  AND object = ANY ($3::text[]) AND ${BEGUN}`;

/** An object that the user selected. */
export interface RunObject {
  object: SourceObjectName;
  phase: number;
  mapping_tag: string | undefined;
  /** Whether the run reads it. */
  in_run: boolean;
}

/**
 * The objects that the user selected, by default all that the report found readable, and which of them a run reads:
 * all, or those of one phase. Throws `invalid_request` if it reads none, or one that is selected cannot be read.
 */
export function runObjects(
  configuration: Configuration,
  inventory: readonly { object: string; status: string }[],
  phase?: number,
): RunObject[] {
  const { objects: chosen } = configuration;
  const readable = new Set(
    inventory.filter(({ object, status }) => isSelectable(status) && isImported(object)).map(({ object }) => object),
  );
  const unreadable = IMPORT_ORDER.find((name) => chosen[name]?.selected && !readable.has(name));
  if (unreadable) throw notReadable(unreadable);
  const selected = IMPORT_ORDER.filter((name) => readable.has(name) && chosen[name]?.selected !== false);
  if (selected.length === 0)
    throw new AppError("invalid_request", NOTHING_SELECTED, {
      errors: [{ pointer: "/configuration/objects", code: "nothing_selected", detail: NOTHING_SELECTED }],
    });
  const tags = mappingTags(configuration);
  const objects = selected.map((object) => {
    const own = phaseOf(chosen, object);
    return { object, phase: own, mapping_tag: tags[object], in_run: phase === undefined || phase === own };
  });
  if (phase !== undefined && objects.every(({ in_run: isInRun }) => !isInRun)) throw emptyPhase(phase, objects);
  return objects;
}

function notReadable(object: string): AppError {
  const detail =
    `${object} is selected, but ` +
    (isImported(object)
      ? "the Salesforce user cannot read it. Deselect it, or give the user access and analyze again."
      : "this service no longer imports it as a preview. Leave it out of the configuration.");
  const pointer = `/configuration/objects/${object}/selected`;
  return new AppError("invalid_request", detail, { errors: [{ pointer, code: "source_access_denied", detail }] });
}

function emptyPhase(phase: number, objects: readonly RunObject[]): AppError {
  const phases = [...new Set(objects.map((each) => each.phase))].toSorted();
  const detail = `No selected object is in phase ${phase}; there are objects in phase ${phases.join(", ")}.`;
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/phase", code: "invalid_value", detail }] });
}

/**
 * Resets the progress of the objects of a run, with what their last run left out. A run of one phase keeps what others
 * have done, and lists objects that are still to come.
 */
export async function resetObjects(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  objects: readonly RunObject[],
): Promise<void> {
  const owned = [organizationId, migrationId];
  const read = objects.filter(({ in_run: isInRun }) => isInRun).map(({ object }) => object);
  const isWhole = read.length === objects.length;
  const isReset = `o.organization_id = $1 AND o.migration_id = $2
     AND ($4 OR o.started_at IS NULL OR o.object = ANY ($3::text[]))`;
  await forgetObjects(client, isReset, [...owned, read, isWhole]);
  // This run finds them again, as far as they still are conflicts. What was decided is remembered.
  await client.query(
    `DELETE FROM migration_conflicts
     WHERE organization_id = $1 AND migration_id = $2 AND state = 'open' AND object = ANY ($3::text[])`,
    [...owned, read],
  );
  await takeOut(client, { organizationId, migrationId }, read);
  await client.query(
    `INSERT INTO migration_objects (organization_id, migration_id, object, position, phase, mapping_tag, in_run)
     SELECT $1, $2, object, position, phase, mapping_tag, in_run
     FROM jsonb_to_recordset($3::jsonb)
       AS selected (object text, position int, phase int, mapping_tag text, in_run boolean)
     ON CONFLICT (organization_id, migration_id, object) DO UPDATE SET phase = excluded.phase,
       position = excluded.position, in_run = excluded.in_run, mapping_tag = CASE
         WHEN migration_objects.started_at IS NULL THEN excluded.mapping_tag ELSE migration_objects.mapping_tag END`,
    [...owned, JSON.stringify(objects.map((each) => ({ ...each, position: importPosition(each.object) })))],
  );
}

/**
 * Takes all objects but `read` out of the run. Where a delta or a retry has left one open, what it has read is
 * accounted for: the next delta of the object begins where that one did.
 */
export async function takeOut(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  read: readonly string[],
): Promise<void> {
  const values = [organizationId, migrationId, read];
  const isOut = "organization_id = $1 AND migration_id = $2 AND object <> ALL ($3::text[])";
  await client.query(`UPDATE migration_objects SET in_run = false WHERE ${isOut} AND in_run`, values);
  await client.query(
    `UPDATE migration_objects SET status = 'done', source = ${ACCOUNTED_FOR}, are_deletions_done = true
     WHERE ${isOut} AND read_until IS NOT NULL AND (NOT are_deletions_done OR source = ${ACCOUNTED_FOR})`,
    values,
  );
}

/**
 * Adds the objects that were selected after the last run, and takes out those that were deselected. Objects of a phase
 * that has not run yet are still to come; one that was moved out of such a phase is read.
 */
export async function addSelected(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  objects: readonly RunObject[],
): Promise<void> {
  const rows = objects.map((each) => ({ ...each, position: importPosition(each.object) }));
  await takeOut(
    client,
    { organizationId, migrationId },
    objects.map(({ object }) => object),
  );
  await client.query(
    `INSERT INTO migration_objects
       (organization_id, migration_id, object, position, phase, mapping_tag, are_deletions_done, in_run)
     SELECT $1, $2, s.object, s.position, s.phase, s.mapping_tag, false, EXISTS (
       SELECT FROM migration_objects o
       WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.phase = s.phase AND ${BEGUN})
     FROM jsonb_to_recordset($3::jsonb) AS s (object text, position int, phase int, mapping_tag text)
     ON CONFLICT (organization_id, migration_id, object) DO UPDATE SET phase = excluded.phase,
       position = excluded.position, mapping_tag = excluded.mapping_tag,
       are_deletions_done = excluded.are_deletions_done, in_run = excluded.in_run
     WHERE migration_objects.started_at IS NULL`,
    [organizationId, migrationId, JSON.stringify(rows)],
  );
}
