import { actionsOf } from "@/components/settings/audit-log/actions";
import { shownTimeZone, startOfDay } from "@/components/ui/text/time-zone";
import { isDay } from "@/lib/input/calendar-day";

/**
 * The filter of the log, as the page's address holds it. An empty text stands for any. Days are `YYYY-MM-DD` of the
 * calendar in the time zone of the pages.
 */
export interface AuditFilter {
  what: string;
  who: string;
  client: string;
  from: string;
  to: string;
}

const NAMES = ["what", "who", "client", "from", "to"] as const;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the filter from the page's address. What is no valid choice is left out. */
export function readFilter(search: URLSearchParams): AuditFilter {
  const read = (name: string, isValid: (value: string) => boolean) => {
    const value = search.get(name) ?? "";
    return isValid(value) ? value : "";
  };
  return {
    what: read("what", (value) => actionsOf(value) !== undefined),
    who: read("who", (value) => ID.test(value)),
    client: read("client", (value) => ID.test(value)),
    from: read("from", isDay),
    to: read("to", isDay),
  };
}

/** The query of the page's address; empty for no filter. */
export function pageQuery(filter: AuditFilter): string {
  return new URLSearchParams(NAMES.flatMap((name) => (filter[name] ? [[name, filter[name]]] : []))).toString();
}

export function hasFilter(filter: AuditFilter): boolean {
  return NAMES.some((name) => filter[name] !== "");
}

/** Whether the period ends before it begins. */
export function isBackwards({ from, to }: AuditFilter): boolean {
  return from !== "" && to !== "" && from > to;
}

/** The query of the API that `filter` stands for. The last day is part of the period. */
export function apiQuery({ what, who, client, from, to }: AuditFilter): string {
  const query = new URLSearchParams();
  const actions = actionsOf(what);
  if (actions) query.set("action", actions.join(","));
  if (who) query.set("user_id", who);
  if (client) query.set("client_id", client);
  if (from) query.set("created_at[gte]", startOfDay(from, shownTimeZone()));
  if (to) query.set("created_at[lt]", startOfDay(to, shownTimeZone(), 1));
  return query.toString();
}

export const FILTER_FORM = {
  none: { what: "", who: "", client: "", from: "", to: "" } satisfies AuditFilter,
  read: readFilter,
  write: pageQuery,
};
