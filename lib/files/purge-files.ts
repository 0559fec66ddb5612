import { pool } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { RESOURCES } from "@/lib/records/schema/resources";

const BATCH = 500;

/** Files whose record is gone for good: neither there nor restorable. */
const ORPHANED = `
  SELECT id FROM files f WHERE organization_id = $1
    AND NOT EXISTS (
      SELECT FROM deleted_records d
      WHERE d.organization_id = $1 AND d.resource = f.resource AND d.id = f.record_id)
    AND (${RESOURCES.map(
      (resource) =>
        `resource = '${resource}'
          AND NOT EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.id = f.record_id)`,
    ).join(" OR ")})
  LIMIT ${BATCH}`;

/** Deletes the files of purged records with their contents. Returns how many. */
export async function purgeFiles(): Promise<number> {
  let total = 0;
  await forEachOrganization(async (organizationId) => {
    for (;;) {
      const { rows } = await pool().query<{ id: string }>(ORPHANED, [organizationId]);
      await removeFiles(
        organizationId,
        rows.map(({ id }) => id),
      );
      total += rows.length;
      if (rows.length < BATCH) return;
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
const ERASED_AT_ONCE = 20;

/**
 * Deletes files of an organization with their contents, in batches, for about `milliseconds`. Returns whether none is
 * left.
 */
export async function eraseFiles(organizationId: string, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const text = `SELECT id FROM files WHERE organization_id = $1 LIMIT ${ERASED_AT_ONCE}`;
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

/** Deletes files: the content first, because a row without content is found again, a content without a row is not. */
export async function removeFiles(organizationId: string, ids: readonly string[]): Promise<void> {
  const storage = openStorage();
  for (const id of ids) await storage.remove(contentKey(organizationId, id));
  await pool().query("DELETE FROM files WHERE organization_id = $1 AND id = ANY ($2::uuid[])", [organizationId, ids]);
}
