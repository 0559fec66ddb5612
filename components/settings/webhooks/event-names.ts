import { inWords } from "@/components/ui/text/format";
import { TEST_EVENT } from "@/lib/event-format";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";

/** The events of one kind of record. */
export interface EventGroup {
  /** Its name in events: "case". */
  entity: string;
  /** "Cases". */
  label: string;
  /** The pattern for all of them: "case.*". */
  wildcard: string;
  events: readonly string[];
}

/** The pattern for all events. */
export const EVERYTHING = "*";

const PLURALS: Record<string, string> = {
  opportunity: "Opportunities",
  case: "Cases",
  lead: "Leads",
  contact: "Contacts",
  account: "Accounts",
};

function entityOf(event: string): string {
  return event.split(".")[0] ?? event;
}

/** All events by kind of record, in the order of `WEBHOOK_EVENTS`. */
export const EVENT_GROUPS: readonly EventGroup[] = [...Map.groupBy(WEBHOOK_EVENTS, entityOf)].map(
  ([entity, events]) => ({
    entity,
    label: PLURALS[entity] ?? inWords(entity),
    wildcard: `${entity}.*`,
    events,
  }),
);

/** An event without its kind of record: "Stage changed". */
export function actionName(event: string): string {
  return inWords(event.split(".")[1] ?? event);
}

/** An event, or a pattern of events, in words: "Case escalated", "All events of cases", "Everything". */
export function eventName(event: string): string {
  if (event === EVERYTHING) return "Everything";
  if (event === TEST_EVENT) return "Test event";
  const group = EVENT_GROUPS.find(({ wildcard }) => wildcard === event);
  if (group) return `All events of ${group.label.toLowerCase()}`;
  return inWords(event.replaceAll(".", "_"));
}
