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

/** In characters as readers see them: an emoji of several code points is one, and so is a letter with its accents. */
const MAX_CHARACTERS = 90;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The field that is the title of a record, so that the fields need not repeat it. */
export const TITLE_FIELDS: Partial<Record<ResourceName, string>> = {
  accounts: "name",
  opportunities: "name",
  products: "name",
  cases: "subject",
  activities: "subject",
};

/** The name of a record in lists, links and headings. */
export function titleOf(resource: ResourceName, item: SomeFields): string {
  switch (resource) {
    case "accounts":
    case "opportunities":
    case "products":
      return textOf(item, "name");
    case "contacts":
    case "leads":
      return [textOf(item, "first_name"), textOf(item, "last_name")].filter(Boolean).join(" ");
    case "cases":
    case "activities":
      return textOf(item, "subject");
    case "case_comments":
      return shorten(textOf(item, "body"));
  }
}

/**
 * The beginning of a text, on one line. Cut between characters, since half of one is displayed as a replacement sign.
 */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (!line) return "(no text)";
  let count = 0;
  for (const { index } of characters.segment(line)) {
    if (count++ === MAX_CHARACTERS) return `${line.slice(0, index).trimEnd()}…`;
  }
  return line;
}
