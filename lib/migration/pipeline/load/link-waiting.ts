import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { keepBefore } from "@/lib/migration/pipeline/load/before-images";
import {
  emitClause,
  EMITTED_WEBHOOKS,
  enqueueEmitted,
  eventIdsFor,
  lockImported,
} from "@/lib/migration/pipeline/load/emit-imported";
import type { Link } from "@/lib/migration/pipeline/map/plan";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";
import type { ResourceName } from "@/lib/records/schema/resources";
import { RAISE_VERSION } from "@/lib/records/write/store-records";

/** Links of one kind that wait for records of one resource. */
interface WaitingKind {
  object: string;
  resource: ResourceName;
  source_field: string;
  column_name: string;
}

interface Linking extends MigrationKey {
  /** The resource whose records have been stored. */
  target: ResourceName;
  /** What the user chose for the relationship. */
  choiceOf: (object: string, field: string) => Link["choice"];
  emits: boolean;
  lock: LockProgress;
  deadline: number;
}

/** How many links one statement makes. */
const BATCH_SIZE = 2000;

/**
 * Links the records that wait for records which have been imported meanwhile, whatever object, phase or run they come
 * from. If none waits, this costs one look at an index. A record that was linked by hand keeps its link. What is linked
 * waits no more. False: the deadline has come.
 */
export async function linkWaiting(client: Pick<PoolClient, "query">, linking: Linking): Promise<boolean> {
  const { rows: kinds } = await client.query<WaitingKind>(
    `SELECT DISTINCT object, resource, source_field, column_name FROM waiting_links
     WHERE organization_id = $1 AND target = $2`,
    [linking.organizationId, linking.target],
  );
  for (const kind of kinds) {
    const isKept = linking.choiceOf(kind.object, kind.source_field) === "keep_id";
    if (isKept !== isSelf(linking, kind)) continue;
    while (await retriedTransaction((batchClient) => linkBatch(batchClient, linking, kind)))
      if (performance.now() >= linking.deadline) return false;
  }
  return true;
}

function isSelf({ target }: Linking, { resource }: WaitingKind): boolean {
  return resource === target;
}

/**
 * Links a batch. False: there was none to link, or the run was stopped. Where there is none, the links among records of
 * one resource stay empty from now on.
 */
async function linkBatch(client: PoolClient, linking: Linking, kind: WaitingKind): Promise<boolean> {
  const { organizationId, migrationId, target, emits } = linking;
  await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
  if (!(await linking.lock(client))) return false;
  await lockDeletionsExclusive(client, organizationId);
  const owned = [organizationId, kind.object, kind.source_field];
  const { rows: found } = await client.query<{ ext_id: string; record_id: string }>(
    `SELECT r.ext_id, w.record_id FROM ${ended(kind.resource, target)}
     JOIN ${kind.resource} r ON r.organization_id = w.organization_id AND r.id = w.record_id
     WHERE ${OF_KIND} LIMIT ${BATCH_SIZE}`,
    owned,
  );
  if (found.length === 0) {
    if (isSelf(linking, kind)) await client.query(forgetText(kind), [...owned, migrationId]);
    return false;
  }
  const extIds = found.map(({ ext_id }) => ext_id);
  await lockImported(client, kind.resource, organizationId, extIds);
  const ids = found.map(({ record_id }) => record_id);
  const of = [kind.object, kind.source_field];
  const linked = (next: number) => `WITH stored AS (${linkText(kind, target, next)} RETURNING r.*, false AS inserted),
    ${keepBefore(kind.resource, { overwrites: false })}`;
  if (emits) {
    const emitting = `${linked(5)}, ${emitClause(kind.resource)} SELECT ${EMITTED_WEBHOOKS}`;
    const values = [organizationId, ids, migrationId, eventIdsFor(extIds), ...of];
    const { rows } = await client.query<{ webhooks: string[] }>(emitting, values);
    enqueueEmitted(client, organizationId, rows[0]);
  } else await client.query(`${linked(4)} SELECT`, [organizationId, ids, migrationId, ...of]);
  await client.query(
    `DELETE FROM waiting_links w WHERE ${OF_KIND} AND w.resource = $4 AND w.record_id = ANY ($5::uuid[])`,
    [...owned, kind.resource, ids],
  );
  return true;
}

/** $1: the organization, $2: the object, $3: the source field. */
const OF_KIND = "w.organization_id = $1::uuid AND w.object = $2 AND w.source_field = $3";

/** $4: the migration. What records of another one wait for may come yet: both may be running. */
function forgetText({ resource }: WaitingKind): string {
  return `DELETE FROM waiting_links w WHERE ${OF_KIND} AND w.resource = '${resource}' AND NOT EXISTS (
    SELECT FROM ${resource} r
    WHERE r.organization_id = w.organization_id AND r.id = w.record_id AND r.migration_id <> $4::uuid)`;
}

/** Waiting links of records of `resource`, `w`, with the record of `target` that each waited for, `parent`. */
function ended(resource: ResourceName, target: ResourceName): string {
  return `(SELECT * FROM waiting_links WHERE resource = '${resource}' AND target = '${target}') AS w
    CROSS JOIN LATERAL (
      SELECT p.id FROM ${target} p WHERE p.organization_id = w.organization_id AND p.ext_id = w.target_ext_id
      UNION ALL
      SELECT a.record_id FROM ext_aliases a
      WHERE a.organization_id = w.organization_id AND a.ext_id = w.target_ext_id AND a.entity = '${target}'
        AND a.record_id <> w.record_id
      LIMIT 1
    ) AS parent`;
}

/** $1: the organization, $2: ids, $3: the migration; from `$next` on: the object and the source field. */
function linkText({ resource, column_name: column }: WaitingKind, target: ResourceName, next: number): string {
  return `UPDATE ${resource} AS r SET ${column} = parent.id,
      custom_fields = r.custom_fields - w.source_field, ${RAISE_VERSION}
    FROM ${ended(resource, target)}
    WHERE r.organization_id = $1::uuid AND r.id = ANY ($2::uuid[])
      AND w.organization_id = $1::uuid AND w.object = $${next} AND w.source_field = $${next + 1} AND w.record_id = r.id
      AND r.${column} IS NULL AND r.custom_fields ->> w.source_field = w.target_ext_id`;
}
