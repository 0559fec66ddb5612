import type { Test } from "./predicate";

/** Matching records in order, by ascending position. Positions without a match are skipped. */
export interface RowSource {
  /** The first position at or after this one with a match, or -1. */
  advance(position: number): number;
  ordinalAt(position: number): number;
}

/** Records of an id range, ascending or descending. Each is tested when it is read, so nothing is kept in memory. */
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

/** Records that are already selected and ordered. */
export function listSource(ordinals: ArrayLike<number>): RowSource {
  return {
    ordinalAt: (position) => ordinals[position] ?? -1,
    advance: (position) => (position < ordinals.length ? position : -1),
  };
}

/** The number of matches, up to `limit`. */
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
