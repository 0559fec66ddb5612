import { textOf } from "@/lib/migration/objects/declaration";
import { fileName } from "@/lib/migration/objects/entry-files";
import type { FileOwner } from "@/lib/migration/pipeline/files/list-owners";
import { parseMoment } from "@/lib/migration/pipeline/map/convert";
import { LATEST_VERSION, linkedDocuments } from "@/lib/migration/pipeline/read/linked-documents";
import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { hasChecksum } from "@/lib/salesforce/ids";
import { query, select, soqlString, type SourceRecord } from "@/lib/salesforce/query";

/** A file in the source, and where its content is. */
export interface FoundFile {
  object: "Attachment" | "ContentVersion";
  recordId: string;
  extId: string;
  name: string;
  contentType: string | null;
  createdAt: Date;
  /** The number of bytes; 0 if the source does not say. */
  size: number;
  path: string;
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

/** Asks for the id of a file. Throws in an outage, in which Salesforce fails at this as well as at the content. */
export async function assertNoOutage(client: SalesforceClient, { object, extId }: FoundFile): Promise<void> {
  await query(client, select({ fields: ["Id"], from: object, where: [`Id = ${soqlString(extId)}`] }), { all: true });
}

function attachmentOf(client: SalesforceClient, found: SourceRecord, recordId: string): FoundFile {
  return {
    object: "Attachment",
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
    object: "ContentVersion",
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
