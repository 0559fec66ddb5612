import type { Json } from "../schema/field";
import { ApiError } from "../server/api-error";
import { comparable } from "./literal";
import type { Resolved } from "./resolve";

/** Compares two values. Where nulls go does not depend on the direction of the sort. */
export function compareValues(a: Json, b: Json, descending = false, nullsFirst = true): number {
  if (a === b) return 0;
  if (a === null) return nullsFirst ? -1 : 1;
  if (b === null) return nullsFirst ? 1 : -1;
  return (a < b ? -1 : 1) * (descending ? -1 : 1);
}

export interface Order {
  readonly by: Resolved;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Sorts ordinals, reading each value once. Ties keep the order of Id. */
export function sortOrdinals(ordinals: readonly number[], orders: readonly Order[]): Int32Array {
  for (const { by } of orders) {
    if (by.field && !by.field.filterable)
      throw new ApiError(400, "INVALID_FIELD", `field '${by.name}' can not be sorted in a query call`);
  }
  const keys = orders.map(({ by }) => ordinals.map((ordinal) => comparable(by.type, by.read(ordinal))));
  const places = Int32Array.from(ordinals.keys());
  places.sort((a, b) => {
    for (const [i, { descending, nullsFirst }] of orders.entries()) {
      const column = keys[i] ?? [];
      const result = compareValues(column[a] ?? null, column[b] ?? null, descending, nullsFirst);
      if (result !== 0) return result;
    }
    return a - b;
  });
  return places.map((place) => ordinals[place] ?? -1);
}
