import { isDeepStrictEqual } from "node:util";

import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import type { Ledger, ShownRecord, Write } from "@/tests/benchmarks/soak-kills/ledger";

/** An event of the feed. */
export interface FeedEvent extends Write {
  eventId: string;
}

/** What the service shows of one organization when everything has come to rest, and what its endpoint has received. */
export interface Found {
  records: readonly ShownRecord[];
  events: readonly FeedEvent[];
  /** Ids of the events that were received with a valid signature. */
  received: ReadonlySet<string>;
}

const SENT: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** The events of plain writes; others come beside `updated`. */
const PLAIN = /\.(?:created|updated|deleted)$/;

/**
 * Compares what was acknowledged with what there is. Returns a sentence for each difference: a record that is missing,
 * is not as acknowledged, or is there although no answer tells of it; a write without its event, or with two; an event
 * of a write that nobody was told of; an event that was not delivered, or delivered under an id that no
 * event of the feed has.
 */
export function differences(ledger: Pick<Ledger, "entries" | "writes">, found: Found): string[] {
  return [...inRecords(ledger, found), ...inEvents(ledger, found), ...inDeliveries(found)];
}

function* inRecords({ entries }: Pick<Ledger, "entries">, { records }: Found): Generator<string> {
  const shown = new Map(records.map((record) => [record.id, record]));
  for (const [id, { resource, record, isDeleted }] of entries) {
    const there = shown.get(id);
    const name = `${resource} ${id}`;
    if (isDeleted && there) yield `${name} was deleted, and is there.`;
    if (isDeleted) continue;
    if (!there) yield `${name} is missing; version ${record.version} was acknowledged.`;
    else if (!isDeepStrictEqual(there, record))
      yield `${name} is ${JSON.stringify(there)}, but was acknowledged as ${JSON.stringify(record)}.`;
  }
  if (shown.size < records.length) yield `${records.length - shown.size} records are shown twice.`;
  for (const record of records)
    if (!entries.has(record.id)) yield `No answer tells of the record ${JSON.stringify(record)}.`;
}

function nameOf({ type, id, version }: Write): string {
  return `${type} of ${id}, version ${version}`;
}

function* inEvents({ entries, writes }: Pick<Ledger, "entries" | "writes">, { events }: Found): Generator<string> {
  const emitted = new Map<string, number>();
  for (const event of events) emitted.set(nameOf(event), (emitted.get(nameOf(event)) ?? 0) + 1);
  for (const write of writes) {
    const times = emitted.get(nameOf(write)) ?? 0;
    if (times !== 1) yield `${nameOf(write)}, was acknowledged, and emitted ${times} times.`;
  }
  const acknowledged = new Set(writes.map(nameOf));
  for (const event of events)
    if (entries.has(event.id) && PLAIN.test(event.type) && !acknowledged.has(nameOf(event)))
      yield `No answer tells of the event ${event.eventId}: ${nameOf(event)}.`;
}

function* inDeliveries({ events, received }: Found): Generator<string> {
  const ids = new Set(events.map(({ eventId }) => eventId));
  for (const event of events)
    if (SENT.has(event.type) && !received.has(event.eventId))
      yield `The event ${event.eventId} was not delivered: ${nameOf(event)}.`;
  for (const id of received) if (!ids.has(id)) yield `A delivery has the id ${id}, which no event has.`;
}
