import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { recordExists } from "@/lib/records/schema/resources";
import { readerOf, readPages } from "@/lib/settings/organization/export/read-table";
import type { ZipEntry } from "@/lib/zip-archive";

/** Each one has an entry in the archive's directory, which is in memory until the end: about 20 MB for all of them. */
const MAX_CONTENTS = 100_000;

/** As the manifest says it. */
export interface AttachmentSummary {
  folder: string;
  included: number;
  missing: number;
  missing_ids: string[];
  missing_ids_are: string;
  not_included: number;
  not_included_are: string;
  fetch_by: string;
}

const MAX_MISSING_IDS = 1000;

export function noAttachments(): AttachmentSummary {
  return {
    folder: "files",
    included: 0,
    missing: 0,
    missing_ids: [],
    missing_ids_are: `The first ${MAX_MISSING_IDS} of those whose contents the storage lacks.`,
    not_included: 0,
    not_included_are: "The rows of the table files whose ids no folder here has and that are not missing.",
    fetch_by: "GET /api/v1/files/{id}/content",
  };
}

interface ListedFile {
  id: string;
  name: string;
  is_deleted: boolean;
}

const FILES = {
  name: "files",
  more: { is_deleted: `NOT ${recordExists("t.resource", "t.record_id")}` },
};

/** All files. Those of records that are not here come first, because nobody can fetch them one by one. */
async function* filesInOrder(organizationId: string): AsyncGenerator<ListedFile> {
  const reader = await readerOf(FILES);
  const listed = new Set<string>();
  for (const ofDeleted of [true, false])
    for await (const lines of readPages(organizationId, reader))
      for (const line of lines) {
        const file = JSON.parse(line) as ListedFile;
        if (ofDeleted ? !file.is_deleted : listed.has(file.id)) continue;
        if (ofDeleted) listed.add(file.id);
        yield file;
      }
}

/** The contents of files, one after the other, as the storage has them. Counts them in `summary`. */
export async function* attachments(
  organizationId: string,
  summary: AttachmentSummary,
  max = MAX_CONTENTS,
): AsyncGenerator<ZipEntry> {
  const storage = openStorage();
  for await (const { id, name } of filesInOrder(organizationId)) {
    if (summary.included === max) {
      summary.not_included += 1;
      continue;
    }
    const content = await storage.read(contentKey(organizationId, id));
    if (content) {
      summary.included += 1;
      yield { name: `${summary.folder}/${id}/${safeName(name)}`, content };
    } else {
      summary.missing += 1;
      if (summary.missing_ids.length < MAX_MISSING_IDS) summary.missing_ids.push(id);
    }
  }
}

/** Windows takes no name with these characters, none that ends in a dot or a blank, and none of a device. */
const UNSAFE = /[<>:"/\\|?*\p{C}]/gu;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const MAX_CHARACTERS = 100;

/** The name of a file as every system can store it. The end stays, since it says what kind of file it is. */
export function safeName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(UNSAFE, "_")
    .replace(DEVICE, "_$&")
    .replace(/[. ]+$/, "");
  return (
    [...safe]
      .slice(-MAX_CHARACTERS)
      .join("")
      .replace(/^[. ]+/, "_") || "file"
  );
}
