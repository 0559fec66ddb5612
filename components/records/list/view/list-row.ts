import { type ListView, narrowing } from "@/components/records/list/view/list-view";
import { referenceName } from "@/components/records/reference-name";
import { type SomeFields, nameOf } from "@/components/records/record";
import { fieldOf } from "@/components/records/fields/field-of";
import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import type { ResourceName } from "@/lib/records/schema/resources";

/** One record of a list: its name, and the fields of the view's columns. A browser may hold 200,000 of them. */
export interface ListRow {
  id: string;
  name: string;
  version: number;
  fields: SomeFields;
  /** Column → the name of the record or person that it refers to. */
  names: Readonly<Record<string, string>>;
}

/** A page of a list as the API answers it, with only the fields that {@link apiQuery} asks for. */
export interface RecordPage {
  data: (SomeFields & { id: string; version: number })[];
  next_cursor: string | null;
}

export interface RowPage {
  rows: ListRow[];
  next_cursor: string | null;
}

/** The parameters of the API for the records of a view, with no more of them than is shown. */
export function apiQuery(resource: ResourceName, view: ListView): URLSearchParams {
  const query = narrowing(resource, view);
  query.set("fields", [...new Set(["id", "version", ...NAME_FIELDS[resource], ...shownFields(resource, view)])].join());
  const expand = expansionsOf(resource, view);
  if (expand !== "") query.set("expand", expand);
  return query;
}

/** What the API expands so that columns show names; an empty text for nothing. */
export function expansionsOf(resource: ResourceName, view: ListView): string {
  return [...new Set(referencesOf(resource, view).map(({ expansion }) => expansion))].join();
}

/** The rows of a page. Of an expanded reference only its name is kept. */
export function toRows(resource: ResourceName, view: ListView, page: RecordPage): RowPage {
  const references = referencesOf(resource, view);
  const rows = page.data.map((item): ListRow => {
    const names = references.flatMap(({ column, target, expansion }) => {
      const expanded = item[expansion] as (SomeFields & { id: string }) | null | undefined;
      return expanded ? [[column, referenceName(target, expanded)] as const] : [];
    });
    return {
      id: item.id,
      name: nameOf(resource, item) || "(no name)",
      version: item.version,
      fields: Object.fromEntries(shownFields(resource, view).map((field) => [field, item[field]])),
      names: Object.fromEntries(names),
    };
  });
  return { rows, next_cursor: page.next_cursor };
}

/** The fields of the columns. An amount is written with its currency. */
export function shownFields(resource: ResourceName, { columns }: ListView): string[] {
  const hasMoney = columns.some((name) => fieldOf(resource, name)?.kind === "money");
  return hasMoney && fieldOf(resource, "currency") ? [...columns, "currency"] : [...columns];
}

/** Columns of names → the field with the member who is named instead: what is written here has no other name. */
const MEMBER_FIELDS: Readonly<Record<string, string>> = { author_name: "author_id" };

function referencesOf(resource: ResourceName, { columns }: ListView) {
  return columns.flatMap((column) => {
    const field = MEMBER_FIELDS[column] ?? column;
    const target = fieldOf(resource, field)?.references;
    return target ? [{ column, target, expansion: field.replace(/_id$/, "") }] : [];
  });
}
