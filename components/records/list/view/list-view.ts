import { DEFAULT_COLUMNS, isColumn } from "@/components/records/list/view/columns";
import { filterNames } from "@/components/records/list/view/filter-names";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a list shows, as its page's address has it. */
export interface ListView {
  /** Parameter of the API → its value: `status`, `account_id`, `created_at[gte]`. */
  filters: Readonly<Record<string, string>>;
  /** Words to search for, or an empty text. */
  q: string;
  /** By creation: newest or oldest first. */
  order: "desc" | "asc";
  /** Fields beside the record's name, in their order. */
  columns: readonly string[];
}

/** Records of the first page: a few screens. The next ones are as long as the API allows. */
export const FIRST_LIMIT = 60;

/** The view of a page's address. What is no filter or column of this kind of record is left out. */
export function readView(resource: ResourceName, search: URLSearchParams): ListView {
  const filters = filterNames(resource).flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value] as const] : [];
  });
  const columns = search.get("columns")?.split(",") ?? DEFAULT_COLUMNS[resource];
  return {
    filters: Object.fromEntries(filters),
    q: search.get("q") ?? "",
    order: search.get("order") === "asc" ? "asc" : "desc",
    columns: [...new Set(columns)].filter((name) => isColumn(resource, name)),
  };
}

/** The query of the page's address; empty for the newest records in the usual columns. */
export function writeView(resource: ResourceName, view: ListView): string {
  const query = narrowing(view);
  if (view.columns.join() !== DEFAULT_COLUMNS[resource].join()) query.set("columns", view.columns.join());
  return query.toString();
}

/** The parameters of the API that say which records are in the list, in which order. */
export function narrowing({ filters, q, order }: ListView): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (q) query.set("q", q);
  if (order === "asc") query.set("order", order);
  return query;
}

/** Whether the view may leave records out. */
export function isNarrowed({ filters, q }: ListView): boolean {
  return q !== "" || Object.keys(filters).length > 0;
}
