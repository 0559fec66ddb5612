import { countOf, recordAt } from "@/sandbox-org/generator/record-at";

export const SEED = 1;
export const SIZE = 10_000;

export type Row = ReturnType<typeof recordAt>;

const rows = new Map<string, Row[]>();

/** Every record of an object, deleted ones included. */
export function all(object: string): Row[] {
  const known =
    rows.get(object) ??
    Array.from({ length: countOf(SEED, SIZE, object).total }, (_, n) => recordAt(SEED, SIZE, object, n));
  rows.set(object, known);
  return known;
}

export function byId(...objects: string[]): Map<unknown, Row> {
  return new Map(objects.flatMap(all).map((row) => [row["Id"], row]));
}
