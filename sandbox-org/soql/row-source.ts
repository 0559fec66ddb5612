import type { Test } from "./predicate";

/** Matching records in order. Positions ascend with them; what lies between two positions did not match. */
export interface RowSource {
  /** The first position at or after this one that holds a match, or -1. */
  advance(position: number): number;
  ordinalAt(position: number): number;
}

/** Records of an id range, up or down, tested one by one: nothing is held in memory. */
export function rangeSource(low: number, high: number, descending: boolean, test: Test): RowSource {
  const ordinalAt = (position: number): number => (descending ? high - 1 - position : low + position);
  return {
    ordinalAt,
    advance(position) {
      for (let next = position; next < high - low; next++) if (test(ordinalAt(next))) return next;
      return -1;
    },
  };
}

/** Records already chosen and ordered. */
export function listSource(ordinals: ArrayLike<number>): RowSource {
  return {
    ordinalAt: (position) => ordinals[position] ?? -1,
    advance: (position) => (position < ordinals.length ? position : -1),
  };
}

/** How many match, counting no further than `limit`. */
export function countMatches(source: RowSource, limit: number): number {
  let count = 0;
  for (let position = source.advance(0); position >= 0 && count < limit; position = source.advance(position + 1))
    count += 1;
  return count;
}

/** Every matching ordinal. */
export function collect(source: RowSource): number[] {
  const ordinals: number[] = [];
  for (let position = source.advance(0); position >= 0; position = source.advance(position + 1))
    ordinals.push(source.ordinalAt(position));
  return ordinals;
}
