import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";

/** Records of an object that have been dealt with, one way or another. */
export function doneOf(object: ObjectProgress): number {
  return object.created + object.updated + object.unchanged + object.skipped + object.failed;
}

/** How many there are: as counted after reading, else as expected before, never less than what is done. */
export function totalOf(object: ObjectProgress): number {
  return Math.max(object.source ?? object.expected ?? 0, doneOf(object));
}

export interface Total {
  done: number;
  total: number;
  /** 0–100, rounded down: 100 only when all is done. */
  percent: number;
}

/** All objects of a migration together. */
export function totalProgress(migration: Migration): Total {
  const done = migration.objects.reduce((sum, object) => sum + doneOf(object), 0);
  const total = migration.objects.reduce((sum, object) => sum + totalOf(object), 0);
  return { done, total, percent: total === 0 ? 0 : Math.floor((done / total) * 100) };
}

/**
 * What the sum of an object lacks or has too much, compared with the source; null before the source was counted again.
 */
export function differenceOf(object: ObjectProgress): number | null {
  return object.source === null ? null : object.source - doneOf(object);
}
