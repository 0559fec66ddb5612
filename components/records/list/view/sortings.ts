import type { ListView } from "@/components/records/list/view/list-view";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

export type Sorting = Pick<ListView, "sort" | "order">;

const LABELS: Record<string, string> = {
  "created_at desc": "Newest first",
  "created_at asc": "Oldest first",
  "updated_at desc": "Last changed first",
  "updated_at asc": "Last changed last",
  "close_date asc": "Closing first",
  "close_date desc": "Closing last",
  "due_date asc": "Due first",
  "due_date desc": "Due last",
  "amount desc": "Largest amount first",
  "amount asc": "Smallest amount first",
};

/** Every order of a list, for a choice: its value is read by {@link sortingOf}. */
export function sortings(resource: ResourceName): { value: string; label: string }[] {
  return Object.entries(ENTITIES[resource].sortings).flatMap(([sort, usual]) =>
    (["desc", "asc"] as const)
      .map((order) => ({
        value: `${sort} ${order}`,
        label: LABELS[`${sort} ${order}`] ?? (order === "asc" ? "A to Z" : "Z to A"),
      }))
      .toSorted((a) => (a.value.endsWith(usual) ? -1 : 1)),
  );
}

export function sortingOf(value: string): Sorting {
  const [sort = "", order] = value.split(" ");
  return { sort, order: order === "asc" ? "asc" : "desc" };
}

/** The sorting when the title of a column is chosen; undefined where the title is no button. */
export function sortOfColumn(resource: ResourceName, column: string | null): string | undefined {
  const { alphabet, sortings: possible } = ENTITIES[resource];
  return Object.keys(possible).find((sort) => sort === (column ?? alphabet[0]));
}

/** The sorting after the title of a column is chosen: the usual direction first, then the other. */
export function nextSorting(resource: ResourceName, now: Sorting, sort: string): Sorting {
  const usual = ENTITIES[resource].sortings[sort] ?? "desc";
  const other = usual === "asc" ? "desc" : "asc";
  return { sort, order: now.sort === sort && now.order === usual ? other : usual };
}
