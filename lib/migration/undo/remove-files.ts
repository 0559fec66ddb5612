import { pool } from "@/lib/database/db";
import { removeFiles } from "@/lib/files/purge-files";
import type { UndoKey } from "@/lib/migration/migration-schema";

const PAGE_FILES = 200;

/**
 * Files that the migration imported, by keyset. Those of records that the undo keeps stay with them, and those of
 * records that can be restored until they no longer can.
 */
const IMPORTED_FILES = `
  SELECT f.id FROM files f
  WHERE f.organization_id = $1 AND f.migration_id = $2 AND ($3::uuid IS NULL OR f.id > $3)
    AND NOT EXISTS (SELECT FROM migration_undo_kept k WHERE k.organization_id = $1 AND k.migration_id = $2
      AND k.resource = f.resource AND k.record_id = f.record_id)
    AND NOT EXISTS (SELECT FROM deleted_records d
      WHERE d.organization_id = $1 AND d.resource = f.resource AND d.id = f.record_id)
  ORDER BY f.id LIMIT ${PAGE_FILES}`;

/** Removes the files that a migration imported, with their contents, until `deadline`. False: there are more. */
export async function removeImportedFiles(
  { organizationId, migrationId }: UndoKey,
  deadline: number,
): Promise<boolean> {
  for (let after: string | null = null; ;) {
    const page = await pool().query<{ id: string }>(IMPORTED_FILES, [organizationId, migrationId, after]);
    const ids: string[] = page.rows.map(({ id }) => id);
    await removeFiles(organizationId, ids);
    if (ids.length < PAGE_FILES) return true;
    after = ids.at(-1) ?? null;
    if (performance.now() >= deadline) return false;
  }
}
