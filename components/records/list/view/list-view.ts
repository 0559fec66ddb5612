import { DEFAULT_COLUMNS } from "@/components/records/list/view/columns";
import { isDayOfPeriod } from "@/components/records/list/view/filter-names";
import { startOfDay } from "@/components/ui/text/time-zone";
import { filterNames, isColumn, isFilterValue, isSearchable, searchableWords } from "@/lib/records/schema/list-address";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a list shows, as its page's address has it. */
export interface ListView {
  /** Parameter of the API → its value: `status`, `account_id`; of a period its day, `created_at[gte]`. */
  filters: Readonly<Record<string, string>>;
  /** Words to search for, or an empty text. */
  q: string;
  /** A name of the entity's `sortings`. */
  sort: string;
  order: "desc" | "asc";
  /** Fields beside the record's name, in their order. */
  columns: readonly string[];
  /** Where the days of the filters begin; null for the reader's own time zone. */
  timeZone: string | null;
}

/** Records of the first page: a few screens. The next ones are as long as the API allows. */
export const FIRST_LIMIT = 60;

/**
 * The view of a page's address. What the API would refuse is left out: no such filter, value, words or column. The page
 * says so (`left-out.ts`).
 */
export function readView(resource: ResourceName, search: URLSearchParams, timeZone: string | null): ListView {
  const filters = filterNames(resource).flatMap((name) => {
    const value = search.get(name);
    return value && isFilterValue(resource, name, value) ? [[name, value] as const] : [];
  });
  const columns = search.get("columns")?.split(",") ?? DEFAULT_COLUMNS[resource];
  const { sortings } = ENTITIES[resource];
  const sort = Object.keys(sortings).find((name) => name === search.get("sort")) ?? "created_at";
  const order = search.get("order");
  return {
    filters: Object.fromEntries(filters),
    q: isSearchable(resource) ? searchableWords(search.get("q") ?? "") : "",
    sort,
    order: order === "asc" || order === "desc" ? order : (sortings[sort] ?? "desc"),
    columns: [...new Set(columns)].filter((name) => isColumn(resource, name)),
    timeZone,
  };
}

/** The query of the page's address; empty for the newest records in the usual columns. */
export function writeView(resource: ResourceName, view: ListView): string {
  const query = parametersOf(resource, view);
  if (view.columns.join() !== DEFAULT_COLUMNS[resource].join()) query.set("columns", view.columns.join());
  return query.toString();
}

/** The parameters of the API that say which records are in the list, in which order. */
export function narrowing(resource: ResourceName, view: ListView): URLSearchParams {
  const zone = view.timeZone ?? undefined;
  const filters = Object.entries(view.filters).map(([name, value]) => [
    name,
    isDayOfPeriod(name, value) ? startOfDay(value, zone) : value,
  ]);
  return parametersOf(resource, { ...view, filters: Object.fromEntries(filters) });
}

function parametersOf(resource: ResourceName, { filters, q, sort, order }: ListView): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (q) query.set("q", q);
  if (sort !== "created_at") query.set("sort", sort);
  if (order !== ENTITIES[resource].sortings[sort]) query.set("order", order);
  return query;
}

/** Whether only the reader's browser knows which records the view shows: where the days of its filters begin. */
export function dependsOnBrowser({ filters, timeZone }: ListView): boolean {
  return timeZone === null && Object.entries(filters).some(([name, value]) => isDayOfPeriod(name, value));
}

/** Whether the view may leave records out. */
export function isNarrowed({ filters, q }: ListView): boolean {
  return q !== "" || Object.keys(filters).length > 0;
}

/** An empty value takes the filter away. */
export function withFilter(filters: ListView["filters"], name: string, value: string): ListView["filters"] {
  const others = Object.entries(filters).filter(([other]) => other !== name);
  return Object.fromEntries(value === "" ? others : [...others, [name, value]]);
}
