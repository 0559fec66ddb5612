import { textOf, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import type { PageLink } from "@/components/shell/pages";
import { inWords } from "@/components/ui/text/format";
import { endsWithDigits, phoneSuffix } from "@/lib/records/schema/phone-suffix";
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

interface ShownHit {
  /** The path of the record's page. */
  href: string;
  /** Its name. */
  label: string;
  /** Its kind, the phone number that was searched for, and what tells it from others of the same name. */
  description: string;
}

export function shownHit({ object, id, fields }: SearchHit, query: string): ShownHit {
  const item = { id, created_at: "", custom_fields: {}, ...fields };
  const details = DETAILS.flatMap((name) => {
    const value = textOf(item, name);
    return value ? [ENUMS.has(name) ? inWords(value) : value] : [];
  });
  return {
    href: `/${object}/${id}`,
    label: titleOf(object, item) || "(no name)",
    description: [RECORD_NAMES[object].singular, ...phonesOf(fields, query), ...details].join(" · "),
  };
}

/** The list of all records of a kind that the words find, where the search has more than it lists. */
export function allFound(resource: ResourceName, words: string): PageLink {
  const { plural, icon } = RECORD_NAMES[resource];
  const query = new URLSearchParams({ q: words }).toString();
  return { href: `/${resource}?${query}`, label: `All ${plural.toLowerCase()} with “${words}”`, icon };
}

/** Whether each of the words begins or continues a word of the record: hits of an earlier query that still count. */
export function stillMatches({ fields }: SearchHit, query: string): boolean {
  if (phonesOf(fields, query).length > 0) return true;
  const text = folded(Object.values(fields).join(" "));
  return folded(query)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => text.includes(word));
}

/** The phone numbers that end as the query does. */
function phonesOf(fields: SearchHit["fields"], query: string): string[] {
  const suffix = phoneSuffix(query);
  if (suffix === null) return [];
  const phones = Object.entries(fields).flatMap(([name, value]) => (name.endsWith("phone") ? [String(value)] : []));
  return phones.filter((phone) => endsWithDigits(phone, suffix));
}

/** Letters that no accent makes, as the search compares them: the database replaces the same (`search_folded`). */
const LETTERS: Record<string, string> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
};

/** Without case, accents and invisible characters, as the search compares. */
function folded(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase();
  return plain.replaceAll(/[^\p{ASCII}]/gu, (letter) => LETTERS[letter] ?? letter);
}
