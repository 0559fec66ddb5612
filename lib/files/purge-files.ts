import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import { forEachInItsOrganization, forEachOrganization } from "@/lib/database/housekeeping";
import { contentKey, ListingRefused } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { MAX_UUID, MIN_UUID } from "@/lib/ids";
import { log } from "@/lib/log";
import { recordExists } from "@/lib/records/schema/resources";

const PAGE_FILES = 1000;

/** SQL: whether the record of the file `f` is gone for good: neither here nor restorable, nor restored by an undo. */
const IS_ORPHANED = `NOT ${recordExists("f.resource", "f.record_id")} AND NOT EXISTS (
  SELECT FROM deleted_records d WHERE d.organization_id = $1 AND d.resource = f.resource AND d.id = f.record_id)
  AND NOT EXISTS (
    SELECT FROM migration_changes c WHERE c.organization_id = $1 AND c.record_id = f.record_id AND c.version IS NULL)`;

export const ORPHANED_OF = `
  SELECT f.id FROM files f WHERE f.organization_id = $1 AND f.record_id = ANY ($2::uuid[]) AND ${IS_ORPHANED}`;

/** How many purged records are looked at together. Each may have many files. */
const PURGED_AT_ONCE = 100;

/**
 * Deletes the files of records that have just been purged, with their contents, until `deadline`: {@link purgeFiles}
 * finds the others. Throws what the first one fails by.
 */
export async function purgeFilesOf(
  records: readonly { organization_id: string; id: string }[],
  deadline: number,
): Promise<void> {
  const groups = [...Map.groupBy(records, ({ organization_id: organizationId }) => organizationId)];
  const owned = groups.map(([organizationId, own]) => ({ organizationId, recordIds: own.map(({ id }) => id) }));
  await forEachInItsOrganization(owned, async ({ organizationId, recordIds }) => {
    for (const some of batchesOf(recordIds, PURGED_AT_ONCE)) {
      if (performance.now() >= deadline) return;
      const { rows } = await pool().query<{ id: string }>(ORPHANED_OF, [organizationId, some]);
      for (const files of batchesOf(rows, PAGE_FILES)) {
        await removeFiles(
          organizationId,
          files.map(({ id }) => id),
        );
        if (performance.now() >= deadline) return;
      }
    }
  });
}

/**
 * A page of an organization's files, by keyset, with whether they are orphaned. Few are, so a page that looked for them
 * alone would be all files.
 */
export const PAGE = `
  SELECT id, ${IS_ORPHANED} AS is_orphaned
  FROM (SELECT id, resource, record_id FROM files WHERE organization_id = $1 AND id > $2
    ORDER BY id LIMIT ${PAGE_FILES}) f
  ORDER BY id`;

/** graphile-worker gives a job to another worker once it has been locked for four hours. */
const MAX_PURGE_MS = 3 * 3_600_000;

/**
 * Deletes the files of all records that are gone for good, with their contents. Returns how many. What takes longer
 * than three hours is left to the next purge.
 */
export async function purgeFiles(): Promise<number> {
  const deadline = performance.now() + MAX_PURGE_MS;
  let total = 0;
  await forEachOrganization(async (organizationId) => {
    for (let after = MIN_UUID; after !== MAX_UUID && performance.now() < deadline;) {
      const { rows } = await pool().query<{ id: string; is_orphaned: boolean }>(PAGE, [organizationId, after]);
      const orphaned = rows.filter((file) => file.is_orphaned).map(({ id }) => id);
      if (orphaned.length > 0) await removeFiles(organizationId, orphaned);
      total += orphaned.length;
      after = (rows.length === PAGE_FILES && rows.at(-1)?.id) || MAX_UUID;
    }
  });
  return total;
}

/** A content may stream for an hour. */
const UNFINISHED_MS = 2 * 3_600_000;

/** Deletes what killed processes have left of contents. Returns how many. */
export function purgeUnfinished(): Promise<number> {
  return openStorage().removeUnfinished(new Date(Date.now() - UNFINISHED_MS));
}

/** A distant storage may take a tenth of a second for each content. */
const REMOVED_AT_ONCE = 20;

/**
 * Deletes files of an organization with their contents, in batches, for about `milliseconds`. Returns whether none is
 * left.
 */
export async function eraseFiles(organizationId: string, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const text = `SELECT id FROM files WHERE organization_id = $1 LIMIT ${REMOVED_AT_ONCE}`;
  for (;;) {
    const { rows } = await pool().query<{ id: string }>(text, [organizationId]);
    if (rows.length === 0) return true;
    await removeFiles(
      organizationId,
      rows.map(({ id }) => id),
    );
    if (performance.now() > end) return false;
  }
}

/**
 * Deletes contents of an organization that no row names, for about `milliseconds`: their worker was killed before it
 * had stored the row. Only for an organization whose files are deleted. Returns whether nothing is left to do. That is
 * so as well where the storage refuses to list them, as a bucket does whose key may not: the organization would
 * otherwise stay.
 */
export async function eraseContents(organizationId: string, milliseconds: number): Promise<boolean> {
  try {
    return await openStorage().removeAll(organizationId, milliseconds);
  } catch (error) {
    if (!(error instanceof ListingRefused)) throw error;
    log.warn({ organization_id: organizationId, err: error }, "contents that no row names stay in the storage");
    return true;
  }
}

/** Deletes files: the content first, because a row without content is found again, a content without a row is not. */
export async function removeFiles(organizationId: string, ids: readonly string[]): Promise<void> {
  const storage = openStorage();
  for (const some of batchesOf(ids, REMOVED_AT_ONCE))
    await Promise.all(some.map((id) => storage.remove(contentKey(organizationId, id))));
  await pool().query("DELETE FROM files WHERE organization_id = $1 AND id = ANY ($2::uuid[])", [organizationId, ids]);
}
