import type { Draft } from "@/lib/migration/objects/declaration";
import { fieldsOfList, keepList, setList } from "@/lib/migration/objects/related-lists";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A file that an entry of a thread came with, as its custom field names it. */
export interface EntryFile {
  /** The id of an attachment, or of the version of a file. */
  ext_id: string;
  name: string;
  /** The number of bytes. */
  size: number | null;
  content_type: string | null;
  /** Leads to the file in Salesforce, for people who can sign in there. */
  url: string;
}

/** The custom field, and the name under which a source record that was read carries its files. */
const ATTACHMENTS = "Attachments";

/** The custom fields of an entry that come from its files. */
export const CUSTOM_FIELDS_OF_FILES = fieldsOfList(ATTACHMENTS);

/** No e-mail has as many. */
const MAX_FILES = 1000;

/** The name of a file in Salesforce: its title, with its extension unless the title ends with that. */
export function fileName(title: string | null, extension: string | null): string {
  const name = title ?? "";
  const isWhole = extension === null || name.toLowerCase().endsWith(`.${extension.toLowerCase()}`);
  return isWhole ? name : `${name}.${extension}`;
}

/** Adds files to a source record, in the order of their ids. */
export function setFiles(record: SourceRecord, files: readonly EntryFile[]): void {
  const inOrder = files.toSorted((one, other) => (one.ext_id < other.ext_id ? -1 : 1));
  setList(record, ATTACHMENTS, inOrder, MAX_FILES);
}

/** Keeps the files of a source record in `custom_fields`. */
export function keepFiles(record: SourceRecord, draft: Draft): void {
  keepList(record, ATTACHMENTS, draft);
}
