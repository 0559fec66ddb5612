import { pool } from "@/lib/database/db";
import { textOf } from "@/lib/migration/objects/declaration";
import { fileName } from "@/lib/migration/objects/entry-files";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { Position } from "@/lib/migration/pipeline/files/file-progress";
import { parseMoment } from "@/lib/migration/pipeline/map/convert";
import type { RunKey } from "@/lib/migration/migration-schema";
import { LATEST_VERSION, linkedDocuments } from "@/lib/migration/pipeline/read/linked-documents";
import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { hasChecksum } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Records whose files are looked up together. */
export const OWNERS_PER_BATCH = 200;

/** A record of a migration, and the files that its entry in a thread names. */
export interface FileOwner {
  id: string;
  /** Its own source id, and those of what it has become the record of: merged duplicates, the Task of an e-mail. */
  ext_ids: string[];
  /** Source ids of files that Salesforce does not link to the record: those of posts. */
  named: string[];
}

/** A file in the source, and where its content is. */
export interface FoundFile {
  recordId: string;
  extId: string;
  name: string;
  contentType: string | null;
  createdAt: Date;
  /** The number of bytes; 0 if the source does not say. */
  size: number;
  path: string;
}

/**
 * The next records with a Salesforce id of their own or of what was merged into them. A post that only shows a record
 * is no part of it: the files that posts name are those of their own entries.
 */
export async function listOwners({ organizationId }: RunKey, { resource, after }: Position): Promise<FileOwner[]> {
  const { rows } = await pool().query<FileOwner>(
    `SELECT r.id, array_remove(r.ext_id || aliases.ext_ids, NULL) AS ext_ids, ARRAY(
       SELECT file ->> 'ext_id' FROM jsonb_array_elements(
         CASE WHEN r.ext_id ~ '^0D[57]' AND jsonb_typeof(r.custom_fields -> 'Attachments') = 'array'
           THEN r.custom_fields -> 'Attachments' ELSE '[]' END) AS file
       WHERE file ->> 'ext_id' ~ '^068[0-9A-Za-z]{15}$') AS named
     FROM ${resource} AS r CROSS JOIN LATERAL (
       SELECT array_agg(a.ext_id ORDER BY a.ext_id) AS ext_ids FROM ext_aliases AS a
       WHERE a.organization_id = $1 AND a.record_id = r.id AND a.entity = '${resource}'
         AND NOT starts_with(a.ext_id, '${KEY_PREFIXES.FeedItem}')
     ) AS aliases
     WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.id > $2)
       AND (r.ext_id ~ '^[0-9A-Za-z]{18}$' OR aliases.ext_ids IS NOT NULL)
     ORDER BY r.id LIMIT ${OWNERS_PER_BATCH}`,
    [organizationId, after],
  );
  return rows;
}

const VERSION_FIELDS = ["Title", "FileExtension", "ContentSize", "CreatedDate"];

/**
 * The files of records: attachments, files that are linked to them, and those that posts name. Clients of the API can
 * give records any external id, and Salesforce refuses a query with a made-up one.
 */
export async function findFiles(client: SalesforceClient, owners: readonly FileOwner[]): Promise<FoundFile[]> {
  const byExtId = new Map(
    owners.flatMap((owner) => owner.ext_ids.filter(hasChecksum).map((extId) => [extId, owner.id] as const)),
  );
  const ids = [...byExtId.keys()];
  const attachments = await readByIds(
    client,
    { from: "Attachment", key: "ParentId", fields: ["Name", "ContentType", "BodyLength", "CreatedDate"], ...EXISTING },
    ids,
  );
  const linked = await linkedDocuments(client, VERSION_FIELDS, ids);
  return [
    ...attachments.map((found) => attachmentOf(client, found, byExtId.get(String(found.ParentId)) ?? "")),
    ...linked.map(({ owner, document }) => versionOf(client, document, LATEST_VERSION, byExtId.get(owner) ?? "")),
    ...(await namedFiles(client, owners)),
  ].filter(({ recordId }) => recordId !== "");
}

async function namedFiles(client: SalesforceClient, owners: readonly FileOwner[]): Promise<FoundFile[]> {
  const ids = [...new Set(owners.flatMap(({ named }) => named.filter(hasChecksum)))];
  const read = { from: "ContentVersion", key: "Id", fields: VERSION_FIELDS, ...EXISTING };
  const versions = await readByIds(client, read, ids);
  const byId = new Map(versions.map((version) => [String(version.Id), version]));
  return owners.flatMap(({ id, named }) =>
    named.flatMap((extId) => {
      const version = byId.get(extId);
      return version ? [versionOf(client, version, "Id", id)] : [];
    }),
  );
}

function attachmentOf(client: SalesforceClient, found: SourceRecord, recordId: string): FoundFile {
  return {
    recordId,
    extId: String(found.Id),
    name: shortText(found, "Name") ?? "",
    contentType: shortText(found, "ContentType"),
    createdAt: momentOf(found),
    size: sizeOf(found.BodyLength),
    path: `${client.dataPath}/sobjects/Attachment/${encodeURIComponent(String(found.Id))}/Body`,
  };
}

function versionOf(client: SalesforceClient, found: SourceRecord, id: string, recordId: string): FoundFile {
  const extension = shortText(found, "FileExtension");
  const extId = String(found[id]);
  return {
    recordId,
    extId,
    name: fileName(shortText(found, "Title"), extension),
    contentType: (extension && TYPES[extension.toLowerCase()]) ?? null,
    createdAt: momentOf(found),
    size: sizeOf(found.ContentSize),
    path: `${client.dataPath}/sobjects/ContentVersion/${encodeURIComponent(extId)}/VersionData`,
  };
}

/** Salesforce does not say the media type of a file. These are the types that browsers can show. */
const TYPES: Record<string, string> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  txt: "text/plain",
};

function momentOf(found: SourceRecord): Date {
  return new Date(Math.max(0, parseMoment(found.CreatedDate) ?? 0));
}

/** The bytes of a file, as its source says; 0 if it says nothing that could be. */
export function sizeOf(size: unknown): number {
  return Number.isSafeInteger(size) && Number(size) > 0 ? Number(size) : 0;
}

/** Salesforce allows 255 characters in these fields. */
const MAX_CHARACTERS = 255;

function shortText(found: SourceRecord, field: string): string | null {
  return textOf(found, field)?.slice(0, MAX_CHARACTERS).toWellFormed() ?? null;
}
