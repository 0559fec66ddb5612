import type { PoolClient } from "pg";

import { overtakenBy, pool } from "@/lib/database/db";
import { UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import { emitClause, EMITTED_WEBHOOKS, enqueueEmitted, eventIdsFor } from "@/lib/migration/pipeline/load/emit-imported";
import { findUnmerged } from "@/lib/migration/pipeline/load/find-here";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";
import { RAISE_VERSION } from "@/lib/records/write/store-records";

/** The source id of a record here → that of another source record, which was merged into it and still exists. */
export type Successors = ReadonlyMap<string, string>;

/**
 * Finds successors for source records that were deleted. Salesforce deletes all but one of the records that a person
 * merges there, and the one that stays may be one that we had merged into another. One that a record here has as its
 * own id succeeds nobody.
 */
export async function findSuccessors(
  { client, run }: RunSession,
  object: SourceObjectName,
  gone: readonly string[],
): Promise<Successors> {
  const { resource } = SOURCE_OBJECTS[object];
  // The alias of an e-mail is the id of its Task, which is another object.
  const { rows } = await pool().query<{ ext_id: string; alias: string }>(
    `SELECT t.ext_id, a.ext_id AS alias FROM ${resource} AS t
     JOIN ext_aliases AS a ON a.organization_id = $1 AND a.record_id = t.id AND a.entity = '${resource}'
     WHERE t.organization_id = $1 AND t.ext_id = ANY ($2::text[]) AND left(a.ext_id, 3) = left(t.ext_id, 3)
       AND NOT EXISTS (SELECT FROM ${resource} AS own WHERE own.organization_id = $1 AND own.ext_id = a.ext_id)
     ORDER BY a.ext_id DESC`,
    [run.organizationId, gone],
  );
  if (rows.length === 0) return new Map();
  const read = { from: object, key: "Id", fields: [] };
  const living = new Set(
    (
      await readByIds(
        client,
        read,
        rows.map(({ alias }) => alias),
      )
    ).map(({ Id }) => String(Id)),
  );
  return new Map(rows.flatMap(({ ext_id, alias }) => (living.has(alias) ? [[ext_id, alias] as const] : [])));
}

/**
 * Gives records the source ids of their successors, unless another record has got one of these meanwhile. Their values
 * follow when these are imported the next time. The caller has locked the rows. Returns the ids of the records.
 */
export async function takeOver(
  client: PoolClient,
  { run, configuration }: RunSession,
  resource: ResourceName,
  succeeded: readonly { id: string; ext_id: string }[],
): Promise<ReadonlySet<string>> {
  const { organizationId, migrationId } = run;
  const extIds = succeeded.map(({ ext_id }) => ext_id);
  const own = await findUnmerged(client, organizationId, resource, extIds);
  const taken = succeeded.filter(({ ext_id }) => !own.has(ext_id));
  if (taken.length === 0) return new Set();
  const ids = taken.map(({ id }) => id);
  const successors = taken.map(({ ext_id }) => ext_id);
  const { rows: aliases } = await client.query<{ record_id: string; ext_id: string }>(
    `DELETE FROM ext_aliases WHERE organization_id = $1 AND entity = '${resource}' AND ext_id = ANY ($2::text[])
     RETURNING record_id, ext_id`,
    [organizationId, successors],
  );
  const emits = configuration.send_events;
  const answer = client.query<{ raced: boolean; webhooks?: string[] }>(
    `WITH stored AS (
       UPDATE ${resource} AS t SET ext_id = taken.ext_id, ${RAISE_VERSION}
       FROM json_to_recordset($2::json) AS taken (id uuid, ext_id text)
       WHERE t.organization_id = $1::uuid AND t.id = taken.id RETURNING t.*, false AS inserted
     ), ${keepBefore(resource, { overwrites: false })}${emits ? `, ${emitClause(resource, "id")}` : ""}
     SELECT ${RACED}${emits ? `, ${EMITTED_WEBHOOKS}` : ""}`,
    [organizationId, JSON.stringify(taken), migrationId, ...(emits ? [eventIdsFor(ids, "id")] : [])],
  );
  const { rows } = await answer.catch((error: unknown) => {
    throw overtakenBy(UNIQUE_VIOLATION, error);
  });
  assertNotRaced(rows[0]);
  await keepAliases(client, run, resource, aliases);
  enqueueEmitted(client, organizationId, rows[0]);
  return new Set(ids);
}

/** An undo gives a record not only its former source id, but also the one that it had besides. */
async function keepAliases(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  resource: ResourceName,
  aliases: readonly { record_id: string; ext_id: string }[],
): Promise<void> {
  await client.query(
    `UPDATE migration_changes AS c SET aliases = array_append(c.aliases, taken.ext_id)
     FROM json_to_recordset($4::json) AS taken (record_id uuid, ext_id text)
     WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.resource = $3 AND c.record_id = taken.record_id`,
    [organizationId, migrationId, resource, JSON.stringify(aliases)],
  );
}
