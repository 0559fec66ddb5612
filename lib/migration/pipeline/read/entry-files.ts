import { cleanText, textOf } from "@/lib/migration/objects/declaration";
import { type EntryFile, fileName, setFiles } from "@/lib/migration/objects/entry-files";
import { CONTENT_DOCUMENT, CONTENT_VERSION } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { LATEST_VERSION, linkedDocuments } from "@/lib/migration/pipeline/read/linked-documents";
import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A file and the id of the record that it belongs to. */
interface OwnedFile {
  owner: string;
  file: EntryFile;
}

/**
 * Adds to entries of threads the names of their files. Files that the Salesforce user may not see are not named. One to
 * three queries per 400 entries that have files.
 */
export async function attachFiles(
  client: SalesforceClient,
  object: SourceObjectName,
  records: readonly SourceRecord[],
): Promise<void> {
  const files =
    object === "EmailMessage" ? await filesOfEmails(client, records) : await postedFiles(client, object, records);
  const byOwner = Map.groupBy(files, ({ owner }) => owner);
  for (const record of records) {
    const own = byOwner.get(String(record.Id));
    if (own) setFiles(record, [...new Map(own.map(({ file }) => [file.ext_id, file])).values()]);
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

/** Files of posts and replies, and the images in their text. */
async function postedFiles(
  client: SalesforceClient,
  object: SourceObjectName,
  posts: readonly SourceRecord[],
): Promise<OwnedFile[]> {
  if (object !== "FeedItem" && object !== "FeedComment") return [];
  const owned = [...posts.flatMap(fileOfPost), ...(await attachedFiles(client, object, posts))];
  return [
    ...(await filesOf(client, { from: "ContentVersion", id: "Id" }, owned)),
    ...(await filesOf(client, { from: "ContentDocument", id: LATEST_VERSION }, posts.flatMap(imagesInText))),
  ];
}

/** The id of a file as a post names it: of a version, or of a document. */
interface NamedFile {
  owner: string;
  id: string;
}

/** Reads what posts name. `id` is the field with the version. */
async function filesOf(
  client: SalesforceClient,
  { from, id }: { from: string; id: string },
  named: readonly NamedFile[],
): Promise<OwnedFile[]> {
  const read = { from, key: "Id", fields: [id, ...FILE_FIELDS], ...EXISTING };
  const found = await readByIds(client, read, [...new Set(named.map((file) => file.id))]);
  const byId = new Map(found.filter((file) => file[id]).map((file) => [String(file.Id), file]));
  return named.flatMap((file) => {
    const known = byId.get(file.id);
    return known ? [{ owner: file.owner, file: versionOf(client, known, id) }] : [];
  });
}

/** The file that a post names itself. */
function fileOfPost(post: SourceRecord): NamedFile[] {
  const version = textOf(post, "RelatedRecordId");
  return version?.startsWith(CONTENT_VERSION) ? [{ owner: String(post.Id), id: version }] : [];
}

/** The files of posts as Salesforce keeps them apart (Object Reference, FeedAttachment). */
async function attachedFiles(
  client: SalesforceClient,
  object: SourceObjectName,
  posts: readonly SourceRecord[],
): Promise<NamedFile[]> {
  if (object !== "FeedItem") return [];
  const ids = posts.filter(({ HasContent }) => HasContent === true).map(({ Id }) => String(Id));
  const attachments = await readByIds(
    client,
    { from: "FeedAttachment", key: "FeedEntityId", fields: ["RecordId"] },
    ids,
  );
  return attachments.flatMap(({ FeedEntityId, RecordId }) =>
    String(RecordId).startsWith(CONTENT_VERSION) ? [{ owner: String(FeedEntityId), id: String(RecordId) }] : [],
  );
}

/** How rich text names an image: by the id of its document (Object Reference, FeedItem, "IsRichText"). */
const IMAGE = new RegExp(`sfdc://(${CONTENT_DOCUMENT}[0-9A-Za-z]{12})`, "g");

function imagesInText(post: SourceRecord): NamedFile[] {
  if (post.IsRichText !== true) return [];
  const text = textOf(post, "Body") ?? textOf(post, "CommentBody") ?? "";
  return [...text.matchAll(IMAGE)].map(([, document = ""]) => ({ owner: String(post.Id), id: to18(document) }));
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
