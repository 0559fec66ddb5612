import { createHash } from "node:crypto";

import { pool } from "@/lib/database/db";
import { contentKey, type FileStorage } from "@/lib/files/file-storage";
import { importedId } from "@/lib/ids";
import type { ResourceName } from "@/lib/records/schema/resources";
import { countStoredBytes } from "@/lib/storage-quota";

/** A file to store with a record. */
export interface NewFile {
  resource: ResourceName;
  recordId: string;
  extId: string;
  name: string;
  contentType: string | null;
  createdAt: Date;
  /** The migration that brings it, and its run. */
  migrationId: string;
  runNumber: number;
}

/**
 * Only where the organization is there and the migration is not undone: neither waits for a content that still streams.
 * The id follows from what the other key has. A worker that stores the same file at once may meet either first.
 */
const INSERT = `
  WITH live AS (
      SELECT o.id FROM organizations o JOIN migrations m ON m.organization_id = o.id
      WHERE o.id = $1 AND o.deleted_at IS NULL AND m.id = $9 AND m.status NOT IN ('undoing', 'undone') FOR SHARE OF m),
    added AS (
      INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, content_type,
        migration_id, run_number, size, sha256)
      SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM live
      ON CONFLICT DO NOTHING)
  SELECT EXISTS (SELECT FROM live) AS is_live,
    EXISTS (SELECT FROM files WHERE organization_id = $1 AND id = $2) AS is_stored`;

/** Thrown when a content is longer than the source said, or than is allowed. */
export class FileTooLarge extends Error {}

/**
 * Streams the content of a file into the storage, and adds the file to its record. The id follows from record and
 * source id, so that a repeat after a crash overwrites the same content. Returns the number of bytes; null where the
 * organization was deleted or the migration undone meanwhile: then the content is removed again, unless the file is
 * stored already.
 */
export async function storeFile(
  organizationId: string,
  storage: FileStorage,
  file: NewFile,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number | null> {
  const id = importedId(organizationId, `${file.recordId}/${file.extId}`, file.createdAt);
  const digest = createHash("sha256");
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new FileTooLarge(file.extId);
      digest.update(chunk);
      yield chunk;
    }
  }
  const key = contentKey(organizationId, id);
  await storage.write(key, counted());
  const { resource, recordId, extId, name, contentType, createdAt, migrationId, runNumber } = file;
  const { rows } = await pool().query<{ is_live: boolean; is_stored: boolean }>(INSERT, [
    organizationId,
    id,
    createdAt,
    resource,
    recordId,
    extId,
    name,
    contentType,
    migrationId,
    runNumber,
    size,
    digest.digest("hex"),
  ]);
  if (!rows[0]?.is_live) {
    if (!rows[0]?.is_stored) await storage.remove(key);
    return null;
  }
  await countStoredBytes(organizationId, size);
  return size;
}
