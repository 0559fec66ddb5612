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

/** A range of creation times is a range of ids; so is the rest of a list behind its cursor. Both together are one. */
export function idBounds(created: TimeRange | undefined, order: ListRequest["order"], cursor?: string): IdBounds {
  const above = created?.from === undefined ? LOWEST : justBelow(lowestIdAt(new Date(created.from)));
  const below = created?.before === undefined ? HIGHEST : lowestIdAt(new Date(created.before));
  if (cursor === undefined) return { above, below };
  return order === "asc" ? { above: cursor > above ? cursor : above, below } : { above, below: cursor < below ? cursor : below };
}

/** The greatest UUID below the lowest id of a millisecond. */
function justBelow(lowest: string): string {
  return `${lowest.slice(0, 19)}7fff-ffffffffffff`;
}

const YEAR_ONE = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** A moment as PostgreSQL takes it. Beyond the years that ISO 8601 writes with four digits there are no records. */
export function timestampOf(milliseconds: number): string {
  if (milliseconds < YEAR_ONE) return "-infinity";
  return milliseconds < YEAR_10000 ? new Date(milliseconds).toISOString() : "infinity";
}
