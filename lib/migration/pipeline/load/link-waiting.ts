import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout, transaction } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
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
import { findText, forgetText, linkText, OF_KIND, type WaitingKind } from "@/lib/migration/pipeline/load/waiting-links";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";
import type { ResourceName } from "@/lib/records/schema/resources";

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
 * waits no more. False: the deadline has come, or the run was stopped.
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
    if (!(await linkKind(linking, kind))) return false;
  }
  return true;
}

function isSelf({ target }: Linking, { resource }: WaitingKind): boolean {
  return resource === target;
}

/**
 * Links what waits in one kind, in the order of the waiting records. Links among records of one resource that find none
 * stay empty from now on, also if another import or a person brings what they wait for after the last look. False: the
 * deadline has come, or the run was stopped.
 */
async function linkKind(linking: Linking, kind: WaitingKind): Promise<boolean> {
  for (let after = MIN_UUID; ;) {
    const found = await findLinkable(linking, kind, after);
    const last = found.at(-1);
    if (!last) break;
    if (!(await locked(linking, (client) => linkBatch(client, linking, kind, found)))) return false;
    if (performance.now() >= linking.deadline) return false;
    after = last.record_id;
  }
  if (!isSelf(linking, kind)) return true;
  const values = [linking.organizationId, kind.object, kind.source_field, linking.migrationId];
  return locked(linking, async (client) => void (await client.query(forgetText(kind), values)));
}

/** Works while neither records come in nor deletions happen. False: the run was stopped. */
function locked(linking: Linking, work: (client: PoolClient) => Promise<void>): Promise<boolean> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await linking.lock(client))) return false;
    await lockDeletionsExclusive(client, linking.organizationId);
    await work(client);
    return true;
  });
}

interface Waiting {
  ext_id: string;
  record_id: string;
}

/**
 * Reads before any lock is taken: the last batch looks at every record that still waits. In the order of the primary
 * key, and therefore with `enable_sort` off, as `self-links.ts` says.
 */
function findLinkable({ organizationId, target }: Linking, kind: WaitingKind, after: string): Promise<Waiting[]> {
  return transaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await client.query("SET LOCAL enable_sort = off");
    const text = findText(kind, target, `w.record_id > $4 ORDER BY w.record_id LIMIT ${BATCH_SIZE}`);
    const { rows } = await client.query<Waiting>(text, [organizationId, kind.object, kind.source_field, after]);
    return rows;
  });
}

/** Links a batch: those of the found records whose awaited record is still here under the locks. */
async function linkBatch(
  client: PoolClient,
  { organizationId, migrationId, target, emits }: Linking,
  kind: WaitingKind,
  candidates: readonly Waiting[],
): Promise<void> {
  const owned = [organizationId, kind.object, kind.source_field];
  const { rows: found } = await client.query<Waiting>(findText(kind, target, "w.record_id = ANY ($4::uuid[])"), [
    ...owned,
    candidates.map(({ record_id }) => record_id),
  ]);
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
}
