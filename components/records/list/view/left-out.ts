import { filterLabel } from "@/components/records/list/view/filter-names";
import type { ListView } from "@/components/records/list/view/list-view";
import { filterNames, isColumn } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A part of a list's address that its view has not taken up, in the words of the page. */
export interface LeftOut {
  label: string;
  value: string;
}

/** What an address asks for that the view which was read from it does not show: a mistyped value, an old link. */
export function leftOutOf(resource: ResourceName, search: URLSearchParams, view: ListView): LeftOut[] {
  return [...search].flatMap(([name, value]) => {
    // An empty value asks for nothing.
    if (value.trim() === "") return [];
    if (name === "columns") return columnsLeftOut(resource, value);
    return isTakenUp(name, value, view) ? [] : [{ label: labelOf(resource, name), value: readable(value) }];
  });
}

function columnsLeftOut(resource: ResourceName, value: string): LeftOut[] {
  const others = value.split(",").filter((name) => name !== "" && !isColumn(resource, name));
  return [...new Set(others)].map((name) => ({ label: "Column", value: readable(name) }));
}

function isTakenUp(name: string, value: string, { filters, q, sort, order }: ListView): boolean {
  // Of very long words the beginning is searched for.
  if (name === "q") return q !== "";
  return value === { ...filters, sort, order }[name];
}

function labelOf(resource: ResourceName, name: string): string {
  if (name === "q") return "Search";
  if (name === "sort" || name === "order") return "Order";
  return filterNames(resource).includes(name) ? filterLabel(name) : readable(name);
}

const MAX_SHOWN = 60;

/** The beginning of a text from outside, with a sign for what is invisible. */
function readable(text: string): string {
  const visible = text.replaceAll(/\p{C}/gu, "\ufffd");
  return visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN)}…` : visible;
}
