import { DELIVERY_STATES } from "@/components/settings/webhooks/deliveries/delivery-state";
import { EVENT_GROUPS } from "@/components/settings/webhooks/event-names";
import { TEST_EVENT } from "@/lib/event-format";

/** The filter of the log, as the page's address holds it. An empty text stands for any. */
export interface DeliveryFilter {
  state: string;
  /** An event, or all of an entity: "case.*". */
  event: string;
}

export const NO_FILTER: DeliveryFilter = { state: "", event: "" };

const EVENTS = new Set([TEST_EVENT, ...EVENT_GROUPS.flatMap(({ wildcard, events }) => [wildcard, ...events])]);

/** Reads the filter from the page's address. What is no valid choice is left out. */
export function readFilter(search: URLSearchParams): DeliveryFilter {
  const [state, event] = [search.get("state") ?? "", search.get("event") ?? ""];
  return { state: Object.hasOwn(DELIVERY_STATES, state) ? state : "", event: EVENTS.has(event) ? event : "" };
}

/** The filter as a query, both of the page's address and of the API; empty for no filter. */
export function queryOf(filter: DeliveryFilter): string {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
}

export const FILTER_FORM = { none: NO_FILTER, read: readFilter, write: queryOf };
