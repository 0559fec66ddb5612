import { batchesOf } from "@/lib/batches";
import { transaction } from "@/lib/database/db";
import { recordHistory } from "@/lib/migration/history/record-history";
import type { RunKey } from "@/lib/migration/migration-schema";
import { objectName, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { changedHere, withLag } from "@/lib/migration/pipeline/read/changed-here";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { deletedConditionsOf, type Window } from "@/lib/migration/pipeline/read/window";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { SalesforceError } from "@/lib/salesforce/errors";
import { isAfter } from "@/lib/salesforce/ids";
import { soqlIn } from "@/lib/salesforce/query";

/** A transaction locks all of them, with their parts and what refers to them. */
const PAGE_RECORDS = 200;

/**
 * The source ids, after one, of what was deleted in a window, in pages in the order of Id: what is in the recycle bin,
 * and what Salesforce names besides, because it has left the bin since, or never was in it.
 */
export async function* readGone(
  session: RunSession,
  object: SourceObjectName,
  window: Window & { since: Date },
  after: string | null,
): AsyncGenerator<string[]> {
  let left = (await namedBySalesforce(session, object, window)).filter((id) => after === null || isAfter(id, after));
  if (SOURCE_OBJECTS[object].isHardDeleted) return yield* batchesOf(left, PAGE_RECORDS);
  const where = deletedConditionsOf(object, window);
  const read = { from: object, fields: ["Id"], where, after, all: true, size: { records: PAGE_RECORDS } };
  for await (const records of readByKeyset(session.client, read)) {
    const binned = records.map(({ Id }) => String(Id));
    const end = left.findIndex((id) => isAfter(id, binned.at(-1) ?? ""));
    const before = end < 0 ? left : left.slice(0, end);
    left = left.slice(before.length);
    yield* withPurged(session, object, before, binned);
  }
  yield* withPurged(session, object, left, []);
}

/** What Salesforce names as deleted, asked for once per session: the list of all that was may be long. */
async function namedBySalesforce(
  session: RunSession,
  object: SourceObjectName,
  window: Window & { since: Date },
): Promise<readonly string[]> {
  const known = session.deleted.get(object);
  if (known) return known;
  // The list of the delta before named most of them, too: what is deleted here is not asked for again.
  const { ids, refusal } = await changedHere(session, object, "deleted", withLag(window), { withDeleted: false });
  if (refusal) await noteUnnamed(session.run, object, refusal);
  session.deleted.set(object, ids);
  return ids;
}

/**
 * Those of the recycle bin, and of the named ones those that not even `queryAll` finds any more. The others were
 * restored since, or belong to another window by their stamp.
 */
async function* withPurged(
  { client }: RunSession,
  object: SourceObjectName,
  named: readonly string[],
  binned: readonly string[],
): AsyncGenerator<string[]> {
  const inBin = new Set(binned);
  const all = [...new Set([...named, ...binned])].toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
  for (const ids of batchesOf(all, PAGE_RECORDS)) {
    const unsure = ids.filter((id) => !inBin.has(id));
    const found = unsure.length > 0 ? await findEver(client, object, unsure) : null;
    const gone = found ? ids.filter((id) => !found.has(id)) : ids;
    if (gone.length > 0) yield gone;
  }
}

/** The ids that `queryAll` finds. Throws where the user may not see the object: what is not seen is not gone. */
async function findEver(client: SalesforceClient, object: SourceObjectName, ids: string[]): Promise<Set<unknown>> {
  const where = [soqlIn("Id", ids)];
  const read = { from: object, fields: ["Id"], where, after: null, all: true, size: { records: PAGE_RECORDS } };
  const found = new Set<unknown>();
  for await (const records of readByKeyset(client, read)) for (const { Id } of records) found.add(Id);
  return found;
}

/** A delta every quarter of an hour may meet the same refusal. */
const SAME_REFUSAL = "1 day";

/** Tells in the history that what Salesforce does not name may still be here, and why it does not. */
async function noteUnnamed(run: RunKey, object: SourceObjectName, refusal: SalesforceError): Promise<void> {
  const left = SOURCE_OBJECTS[object].isHardDeleted ? "" : " and are no longer in the recycle bin";
  const details = {
    reason:
      `Salesforce does not name all ${objectName(object)} that were deleted${left}, so some of them may still be ` +
      `here. ${refusal.message}`,
    remedy: "Compare the migration with Salesforce: the proof names what is here and no longer there.",
  };
  await transaction(async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM migration_history WHERE organization_id = $1 AND migration_id = $2 AND event = 'deletions_unknown'
         AND object = $3 AND created_at > now() - interval '${SAME_REFUSAL}' LIMIT 1`,
      [run.organizationId, run.migrationId, object],
    );
    if (rowCount === 0) await recordHistory(client, run, { event: "deletions_unknown", object, details });
  });
}
