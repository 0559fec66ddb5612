import { EVENT_GROUPS, type EventGroup, EVERYTHING } from "@/components/settings/webhooks/event-names";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";

/** The values of all boxes, in the order of the picker. */
const BOXES: readonly string[] = [EVERYTHING, ...EVENT_GROUPS.flatMap(({ wildcard, events }) => [wildcard, ...events])];

/**
 * The events to send for the ticked boxes: those that no ticked wildcard includes. Wildcards are sent as such. Boxes
 * below a wildcard stay ticked, and count again when the wildcard is unticked.
 */
export function eventsOf(ticked: readonly string[]): string[] {
  const boxes = new Set(ticked);
  if (boxes.has(EVERYTHING)) return [EVERYTHING];
  return BOXES.filter((box) => boxes.has(box) && !isIncluded(box, boxes));
}

function isIncluded(box: string, ticked: ReadonlySet<string>): boolean {
  return EVENT_GROUPS.some(({ wildcard, events }) => ticked.has(wildcard) && events.some((event) => event === box));
}

/** How many of the present events the ticked boxes include. */
export function countOf(ticked: readonly string[]): number {
  const boxes = new Set(ticked);
  if (boxes.has(EVERYTHING)) return WEBHOOK_EVENTS.length;
  return EVENT_GROUPS.reduce((sum, group) => sum + countIn(group, boxes), 0);
}

function countIn({ wildcard, events }: EventGroup, ticked: ReadonlySet<string>): number {
  return ticked.has(wildcard) ? events.length : events.filter((event) => ticked.has(event)).length;
}

/** Ticks a box, or unticks it. */
export function toggled(ticked: readonly string[], box: string): string[] {
  return ticked.includes(box) ? ticked.filter((other) => other !== box) : [...ticked, box];
}
