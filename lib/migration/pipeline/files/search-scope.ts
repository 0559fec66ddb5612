import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import type { RunKey } from "@/lib/migration/migration-schema";
import { MAX_UNSEARCHED, type Resource, RESOURCES } from "@/lib/migration/pipeline/files/file-progress";
import { OVERLAP } from "@/lib/migration/pipeline/progress";
import { EXISTING, pagesByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** The records whose files a run looks for, in the order of their ids; null: all records. */
export type SearchScope = ReadonlyMap<Resource, readonly string[]> | null;

const scopes = new WeakMap<RunSession, Promise<SearchScope>>();

/** The scope of a run, found once per session: no change of the source narrows it. */
export function searchScopeOf(session: RunSession): Promise<SearchScope> {
  const scope = scopes.get(session) ?? findScope(session);
  scopes.set(session, scope);
  return scope;
}

/** No slice could go on with the scope, but each goes on with a search of all: what takes longer is left to that. */
const MAX_SCOPE_MS = 600_000;

/**
 * A full run looks for the files of all records; a delta for those that were changed, whatever record has them, and
 * for those of the records that have come since files were looked for; a retry for the latter alone.
 */
async function findScope({ run, kind, client }: RunSession): Promise<SearchScope> {
  const { since, owners } = await findUnsearched(run);
  if (kind === "full" || !since) return null;
  const extIds = new Set(owners);
  const end = performance.now() + MAX_SCOPE_MS;
  const changed = kind === "delta" ? ownersOfChanged(client, since) : [];
  for await (const some of changed) {
    for (const extId of some) extIds.add(extId);
    if (extIds.size <= MAX_UNSEARCHED && performance.now() < end) continue;
    await searchAll(run);
    return null;
  }
  return findRecords(run, [...extIds]);
}

/** What a later run has yet to look for, besides the files that were changed. */
interface Unsearched {
  /** A moment before which all files were looked for; null: those of all records are to be looked for. */
  since: Date | null;
  /** Source ids of records. */
  owners: string[];
}

async function findUnsearched(run: RunKey): Promise<Unsearched> {
  const { rows } = await pool().query<Unsearched>(
    `SELECT searched_until - interval '${OVERLAP}' AS since, unsearched AS owners
     FROM migration_files WHERE organization_id = $1 AND migration_id = $2`,
    [run.organizationId, run.migrationId],
  );
  return rows[0] ?? { since: null, owners: [] };
}

/** Lets this run and, until one has, later ones look for the files of all records. */
async function searchAll(run: RunKey): Promise<void> {
  await pool().query(
    `UPDATE migration_files SET searched_until = NULL, unsearched = '{}'
     WHERE organization_id = $1 AND migration_id = $2`,
    [run.organizationId, run.migrationId],
  );
}

/**
 * The source ids of what has files that were changed since a moment, and of the documents among these, so that there
 * are not too many of them either. Links are found only by the ids of documents; a new link to a document that was
 * there stamps its version, as far as the triggers of Salesforce show.
 */
async function* ownersOfChanged(client: SalesforceClient, since: Date): AsyncGenerator<string[]> {
  yield* readChanged(client, "Attachment", "ParentId", since);
  for (const [object, field] of [
    ["ContentVersion", "ContentDocumentId"],
    ["ContentDocument", "Id"],
  ] as const) {
    for await (const documents of readChanged(client, object, field, since)) {
      const links = { from: "ContentDocumentLink", key: "ContentDocumentId", fields: ["LinkedEntityId"], ...EXISTING };
      yield documents;
      for await (const found of pagesByIds(client, links, [...new Set(documents)]))
        yield found.map(({ LinkedEntityId }) => String(LinkedEntityId));
    }
  }
}

/** A field of the changed records of an object. None if the Salesforce user may not see it. */
async function* readChanged(
  client: SalesforceClient,
  from: string,
  field: string,
  since: Date,
): AsyncGenerator<string[]> {
  const where = [...EXISTING.where, `SystemModstamp >= ${soqlDateTime(since)}`];
  const read = { from, fields: [...new Set(["Id", field])], where, after: null, all: EXISTING.all };
  try {
    for await (const page of readByKeyset(client, { ...read, size: { records: MAX_PAGE_RECORDS } }))
      yield page.map((record) => String(record[field]));
  } catch (error) {
    if (!isObjectHidden(error) && !isFieldHidden(error)) throw error;
  }
}

/** The source ids that one statement looks up. */
const IDS_PER_STATEMENT = 10_000;

/** The ids of the records that source records are here, or are parts of. */
async function findRecords(
  { organizationId }: RunKey,
  extIds: readonly string[],
): Promise<Map<Resource, readonly string[]>> {
  const found = new Map<Resource, readonly string[]>();
  for (const resource of RESOURCES) {
    const ids = new Set<string>();
    for (const some of batchesOf(extIds, IDS_PER_STATEMENT)) {
      const { rows } = await pool().query<{ id: string }>(
        `SELECT id FROM ${resource} WHERE organization_id = $1 AND ext_id = ANY ($2::text[])
         UNION ALL
         SELECT record_id FROM ext_aliases
         WHERE organization_id = $1 AND entity = '${resource}' AND ext_id = ANY ($2::text[])`,
        [organizationId, some],
      );
      for (const { id } of rows) ids.add(id);
    }
    found.set(resource, [...ids].toSorted());
  }
  return found;
}
