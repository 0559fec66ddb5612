import { textOf, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { inWords } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface SearchHit {
  object: ResourceName;
  id: string;
  fields: Record<string, string | number>;
}

/** The answer of `GET /search`. */
export interface SearchAnswer {
  data: SearchHit[];
  /** Kinds that have more records than are listed. */
  more: ResourceName[];
}

/** Fields whose values are names of the API. */
const ENUMS = new Set(["status", "stage", "type"]);

/** What stands below the name of a record: its kind, and what tells it from others of the same name. */
const DETAILS = ["case_number", "company", "email", "industry", "sku", "type", "stage", "status"];

/** The path of a record's page, its name, and a line of details. */
export function shownHit({ object, id, fields }: SearchHit): { href: string; label: string; description: string } {
  const item = { id, created_at: "", custom_fields: {}, ...fields };
  const details = DETAILS.flatMap((name) => {
    const value = textOf(item, name);
    return value ? [ENUMS.has(name) ? inWords(value) : value] : [];
  });
  return {
    href: `/${object}/${id}`,
    label: titleOf(object, item) || "(no name)",
    description: [RECORD_NAMES[object].singular, ...details].join(" · "),
  };
}

/** Whether each of the words begins or continues a word of the record: hits of an earlier query that still count. */
export function stillMatches({ fields }: SearchHit, query: string): boolean {
  const text = folded(Object.values(fields).join(" "));
  return folded(query)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => text.includes(word));
}

/** Without case and accents, as the search compares. */
function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
