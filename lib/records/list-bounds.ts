import { lowestIdAt } from "@/lib/ids";
import type { ListRequest } from "@/lib/records/list-input";
import type { TimeRange } from "@/lib/records/time-range";

/** Below and above every UUIDv7: where a list without a cursor begins and ends. */
const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The records that lie strictly between two ids. */
export interface IdBounds {
  above: string;
  below: string;
}

/** The records that lie strictly between two pairs of `updated_at`, as PostgreSQL takes it, and id. */
export interface ChangeBounds {
  above: readonly [time: string, id: string];
  below: readonly [time: string, id: string];
}

/** A range of creation times is a range of ids; so is the rest of a list behind its cursor. Both together are one. */
export function idBounds(created: TimeRange | undefined, order: ListRequest["order"], cursor?: string): IdBounds {
  const above = created?.from === undefined ? LOWEST : justBelow(lowestIdAt(new Date(created.from)));
  const below = created?.before === undefined ? HIGHEST : lowestIdAt(new Date(created.before));
  if (cursor === undefined) return { above, below };
  return order === "asc" ? { above: cursor > above ? cursor : above, below } : { above, below: cursor < below ? cursor : below };
}

/** As {@link idBounds}, for pairs: a time alone stands before every pair that has it. */
export function changeBounds(range: TimeRange, order: ListRequest["order"], cursor?: { number: string; id: string }): ChangeBounds {
  const above: Pair = [range.from ?? -Infinity, LOWEST];
  const below: Pair = [range.before ?? Infinity, range.before === undefined ? HIGHEST : LOWEST];
  const position = cursor === undefined ? undefined : ([Number(cursor.number), cursor.id] as const);
  const from = position && order === "asc" ? later(position, above) : above;
  const to = position && order === "desc" ? earlier(position, below) : below;
  return { above: [timestamp(from[0]), from[1]], below: [timestamp(to[0]), to[1]] };
}

type Pair = readonly [milliseconds: number, id: string];

function later(one: Pair, other: Pair): Pair {
  return isAfter(one, other) ? one : other;
}

function earlier(one: Pair, other: Pair): Pair {
  return isAfter(one, other) ? other : one;
}

function isAfter(one: Pair, other: Pair): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}

/** The greatest UUID below the lowest id of a millisecond. */
function justBelow(lowest: string): string {
  return `${lowest.slice(0, 19)}7fff-ffffffffffff`;
}

const YEAR_ONE = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** Beyond the years that ISO 8601 writes with four digits there are no records. */
function timestamp(milliseconds: number): string {
  if (milliseconds < YEAR_ONE) return "-infinity";
  return milliseconds < YEAR_10000 ? new Date(milliseconds).toISOString() : "infinity";
}
