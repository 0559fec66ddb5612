import { EVENT_GROUPS, type EventGroup, EVERYTHING } from "@/components/settings/webhooks/event-names";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";

/** Every box of the picker, in its order. */
const BOXES: readonly string[] = [EVERYTHING, ...EVENT_GROUPS.flatMap(({ wildcard, events }) => [wildcard, ...events])];

/**
 * What is sent of the boxes that are ticked: none that another one includes. Wildcards stay what they are.
 * What is ticked below one stays ticked, and counts again when the wildcard goes.
 */
export function eventsOf(ticked: readonly string[]): string[] {
  const given = new Set(ticked);
  if (given.has(EVERYTHING)) return [EVERYTHING];
  return BOXES.filter((box) => given.has(box) && !isIncluded(box, given));
}

function isIncluded(box: string, ticked: ReadonlySet<string>): boolean {
  return EVENT_GROUPS.some(({ wildcard, events }) => ticked.has(wildcard) && events.some((event) => event === box));
}

/** How many events a choice stands for today. */
export function countOf(ticked: readonly string[]): number {
  const given = new Set(ticked);
  if (given.has(EVERYTHING)) return WEBHOOK_EVENTS.length;
  return EVENT_GROUPS.reduce((sum, group) => sum + countIn(group, given), 0);
}

function countIn({ wildcard, events }: EventGroup, ticked: ReadonlySet<string>): number {
  return ticked.has(wildcard) ? events.length : events.filter((event) => ticked.has(event)).length;
}

/** With a box ticked that was not, or the other way round. */
export function toggled(ticked: readonly string[], box: string): string[] {
  return ticked.includes(box) ? ticked.filter((other) => other !== box) : [...ticked, box];
}
