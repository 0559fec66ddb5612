import { NAME_FIELDS, wholeName } from "@/lib/records/schema/record-name";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A record of any kind, as the API returns it. The registry declares its fields. */
export interface AnyRecord {
  id: string;
  created_at: string;
  custom_fields: Record<string, unknown>;
  [field: string]: unknown;
}

/** Some fields of a record, by their names. */
export type SomeFields = Readonly<Record<string, unknown>>;

/** A field's value as text, or an empty string. */
export function textOf(item: SomeFields, field: string): string {
  const value = item[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The most characters as readers see them: an emoji of several code points is one, and so is an accented letter. */
const MAX_CHARACTERS = 90;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The field that is the title of a record, so that the fields need not repeat it; undefined for several. */
export function titleField(resource: ResourceName): string | undefined {
  return resource === "case_comments" || NAME_FIELDS[resource].length > 1 ? undefined : NAME_FIELDS[resource][0];
}

/** The whole name of a record. Of an entry of a thread it is how that begins. */
export function nameOf(resource: ResourceName, item: SomeFields): string {
  if (resource === "case_comments") return shorten(textOf(item, "body"));
  return wholeName(resource, item);
}

/** The name of a record in lists, links, dialogs and messages: of a very long one the beginning. */
export function titleOf(resource: ResourceName, item: SomeFields): string {
  const name = nameOf(resource, item);
  return name && shorten(name);
}

/** Whether the title of a record is only the beginning of its name. */
export function isTitleCut(resource: ResourceName, item: SomeFields): boolean {
  return titleOf(resource, item) !== onOneLine(nameOf(resource, item));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * The beginning of a text, on one line. Cut between characters, since half of one is displayed as a replacement sign.
 */
export function shorten(text: string): string {
  const line = onOneLine(text);
  if (!line) return "(no text)";
  let count = 0;
  for (const { index } of characters.segment(line)) {
    if (count++ === MAX_CHARACTERS) return `${line.slice(0, index).trimEnd()}…`;
  }
  return line;
}

/** A name where there must be something to read: it can consist of characters that nobody sees. */
export function shownName(name: string): string {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? shorten(name) : "(no name)";
}
