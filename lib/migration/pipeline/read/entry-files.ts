import { cleanText, textOf } from "@/lib/migration/objects/declaration";
import { type EntryFile, fileName, setFiles } from "@/lib/migration/objects/entry-files";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { LATEST_VERSION, linkedDocuments } from "@/lib/migration/pipeline/read/linked-documents";
import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A file and the id of the record that it belongs to. */
interface OwnedFile {
  owner: string;
  file: EntryFile;
}

/**
 * Adds to entries of threads the names of their files. Files that the Salesforce user may not see are not named. One or
 * two queries per 400 entries that have files.
 */
export async function attachFiles(
  client: SalesforceClient,
  object: MigratedObjectName,
  records: readonly SourceRecord[],
): Promise<void> {
  const files =
    object === "EmailMessage" ? await filesOfEmails(client, records) : await postedFiles(client, object, records);
  const byOwner = Map.groupBy(files, ({ owner }) => owner);
  for (const record of records) {
    const own = byOwner.get(String(record.Id));
    if (own)
      setFiles(
        record,
        own.map(({ file }) => file),
      );
  }
}

/** Attachments of the classic kind, and files. */
async function filesOfEmails(client: SalesforceClient, emails: readonly SourceRecord[]): Promise<OwnedFile[]> {
  const ids = emails.filter(({ HasAttachment }) => HasAttachment === true).map(({ Id }) => String(Id));
  const attachments = {
    from: "Attachment",
    key: "ParentId",
    fields: ["Name", "ContentType", "BodyLength"],
    ...EXISTING,
  };
  return [
    ...(await readByIds(client, attachments, ids)).map((attachment) => ({
      owner: String(attachment.ParentId),
      file: fileOf(client, {
        id: attachment.Id,
        name: textOf(attachment, "Name"),
        size: attachment.BodyLength,
        type: textOf(attachment, "ContentType"),
        path: "/servlet/servlet.FileDownload?file=",
      }),
    })),
    ...(await linkedDocuments(client, FILE_FIELDS, ids)).map(({ owner, document }) => ({
      owner,
      file: versionOf(client, document, LATEST_VERSION),
    })),
  ];
}

const FILE_FIELDS = ["Title", "FileExtension", "ContentSize"];

/** Files of posts and replies. */
async function postedFiles(
  client: SalesforceClient,
  object: MigratedObjectName,
  posts: readonly SourceRecord[],
): Promise<OwnedFile[]> {
  if (object !== "FeedItem" && object !== "FeedComment") return [];
  const owned = [...posts.flatMap(fileOfPost), ...(await severalFiles(client, object, posts))];
  const ids = [...new Set(owned.map(({ version }) => version))];
  const read = { from: "ContentVersion", key: "Id", fields: FILE_FIELDS, ...EXISTING };
  const versions = await readByIds(client, read, ids);
  const byId = new Map(versions.map((version) => [String(version.Id), version]));
  return owned.flatMap(({ owner, version }) => {
    const found = byId.get(version);
    return found ? [{ owner, file: versionOf(client, found, "Id") }] : [];
  });
}

/** The one file that a post names itself. */
function fileOfPost(post: SourceRecord): { owner: string; version: string }[] {
  const version = textOf(post, "RelatedRecordId");
  return version?.startsWith("068") ? [{ owner: String(post.Id), version }] : [];
}

/** The files of posts that have more than one, which Salesforce keeps apart (Object Reference, FeedAttachment). */
async function severalFiles(client: SalesforceClient, object: MigratedObjectName, posts: readonly SourceRecord[]) {
  if (object !== "FeedItem") return [];
  const ids = posts.filter((post) => post.HasContent === true && fileOfPost(post).length === 0);
  const read = { from: "FeedAttachment", key: "FeedEntityId", fields: ["RecordId"] };
  const attachments = await readByIds(
    client,
    read,
    ids.map(({ Id }) => String(Id)),
  );
  return attachments.flatMap(({ FeedEntityId, RecordId }) =>
    String(RecordId).startsWith("068") ? [{ owner: String(FeedEntityId), version: String(RecordId) }] : [],
  );
}

function versionOf(client: SalesforceClient, file: SourceRecord, id: string): EntryFile {
  return fileOf(client, {
    id: file[id],
    name: fileName(textOf(file, "Title"), textOf(file, "FileExtension")),
    size: file.ContentSize,
    type: null,
    path: "/sfc/servlet.shepherd/version/download/",
  });
}

interface Found {
  id: unknown;
  name: string | null;
  size: unknown;
  type: string | null;
  path: string;
}

function fileOf(client: SalesforceClient, { id, name, size, type, path }: Found): EntryFile {
  const extId = cleanText(String(id));
  return {
    ext_id: extId,
    name: name ?? "",
    size: typeof size === "number" ? size : null,
    content_type: type,
    url: `${client.origin}${path}${encodeURIComponent(extId)}`,
  };
}
