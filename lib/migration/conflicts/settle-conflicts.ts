import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import type { Taking } from "@/lib/migration/conflicts/take-source";
import { differingText, EDITED_HERE, editsOf, flatText, UNDECIDED } from "@/lib/migration/pipeline/load/keep-edited";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A conflict as it is stored, with all its fields, and those that can still be decided. */
export interface StoredConflict {
  id: string;
  object: string;
  resource: ResourceName;
  record_id: string;
  ext_id: string;
  edits: number;
  fields: string[];
  pending: string[];
  bytes: number;
}

interface Settled {
  decided: readonly Taking[];
  /** Conflicts of records that somebody has edited once more. */
  edited: readonly StoredConflict[];
  /** All that could not be decided. They come last from now on. */
  tried: readonly { id: string }[];
}

/**
 * Stores what was decided. The latest run counts and lists its records accordingly: what was taken from the source as
 * updated, and what stays as ours as left out on purpose. Conflicts of records that were edited once more show their
 * present values; one in which nothing differs any more ends.
 */
export async function settleConflicts(
  client: PoolClient,
  { userId }: Context,
  key: MigrationKey,
  { decided, edited, tried }: Settled,
): Promise<void> {
  const owned = [key.organizationId, key.migrationId];
  if (decided.length > 0) {
    const takings = JSON.stringify(decided.map(({ id, fields }) => ({ id, fields })));
    await client.query(DECIDE, [...owned, takings, userId]);
    await client.query(KEEP, [...owned, idsOf(decided.filter(({ whole }) => !whole))]);
    await recount(client, owned, "updated", idsOf(decided.filter(({ whole }) => whole)));
  }
  await client.query(POSTPONE, [...owned, idsOf(tried)]);
  const agreeing: string[] = [];
  for (const [resource, some] of Map.groupBy(edited, (conflict) => conflict.resource))
    agreeing.push(...(await refresh(client, owned, resource, idsOf(some))));
  await recount(client, owned, "unchanged", agreeing);
  await client.query(FORGET, [...owned, agreeing]);
}

const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

/** Fields that were taken from the source earlier stay so. $3: conflicts with the fields that are taken, $4: who. */
const DECIDE = `
  UPDATE migration_conflicts AS c SET state = 'decided', decided_at = now(), decided_by_id = $4,
    taken = (SELECT jsonb_object_agg(field, CASE WHEN field = ANY (given.fields) OR c.taken ->> field = 'source'
      THEN 'source' ELSE 'ours' END) FROM jsonb_object_keys(c.ours) AS field),
    edits = c.edits + CASE WHEN cardinality(given.fields) > 0 THEN 1 ELSE 0 END
  FROM jsonb_to_recordset($3::jsonb) AS given (id uuid, fields text[])
  WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.id = given.id`;

const POSTPONE = `UPDATE migration_conflicts SET created_at = now()
  WHERE organization_id = $1 AND migration_id = $2 AND id = ANY ($3::uuid[]) AND state = 'open'`;

const FORGET = `DELETE FROM migration_conflicts
  WHERE organization_id = $1 AND migration_id = $2 AND id = ANY ($3::uuid[])`;

/** The issue, if the latest run has one, of a conflict `c`. */
const ISSUE = `i.organization_id = $1 AND i.migration_id = $2 AND i.object = c.object AND i.ext_id = c.ext_id
  AND i.code IN ('${EDITED_HERE}', '${UNDECIDED}')`;

const CONFLICTS = "c.organization_id = $1 AND c.migration_id = $2 AND c.id = ANY ($3::uuid[])";

const KEEP = `
  UPDATE migration_record_issues AS i SET code = '${EDITED_HERE}',
    reason = 'Somebody has edited this record here since its last import, and has decided that it stays so.'
  FROM migration_conflicts AS c WHERE ${CONFLICTS} AND ${ISSUE}`;

/** Counts records that were left out under another outcome, so that the sum stays. */
async function recount(
  client: PoolClient,
  owned: unknown[],
  outcome: "updated" | "unchanged",
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `WITH settled AS (
       DELETE FROM migration_record_issues AS i USING migration_conflicts AS c WHERE ${CONFLICTS} AND ${ISSUE}
       RETURNING i.object
     )
     UPDATE migration_objects AS o SET skipped = skipped - s.records, ${outcome} = ${outcome} + s.records
     FROM (SELECT object, count(*) AS records FROM settled GROUP BY object) AS s
     WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.object = s.object`,
    [...owned, ids],
  );
}

/** Compares records with the source once more. Returns the conflicts in which nothing differs any more. */
async function refresh(
  client: PoolClient,
  owned: unknown[],
  resource: ResourceName,
  ids: readonly string[],
): Promise<string[]> {
  const flat = flatText(resource, Object.keys(ENTITIES[resource].fields), "t");
  // Of other fields, the source says nothing.
  const here = `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(${flat}) WHERE c.source ? key OR c.ours ? key)`;
  const { rows } = await client.query<{ id: string }>(
    `WITH refreshed AS (
       UPDATE migration_conflicts AS u SET edits = found.edits, ours = coalesce(found.ours, '{}'), state = 'open',
         taken = NULL, decided_at = NULL, decided_by_id = NULL
       FROM (
         SELECT c.id, ${editsOf("t")} AS edits, ${differingText(here, "c.source")} AS ours
         FROM migration_conflicts c
         JOIN ${resource} AS t ON t.organization_id = c.organization_id AND t.id = c.record_id
         WHERE ${CONFLICTS}
       ) AS found
       WHERE u.organization_id = $1 AND u.migration_id = $2 AND u.id = found.id
       RETURNING u.id, u.ours
     )
     SELECT id FROM refreshed WHERE ours = '{}'`,
    [...owned, ids],
  );
  return rows.map(({ id }) => id);
}
