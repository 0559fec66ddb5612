import type { Migration } from "@/lib/migration/migration-schema";

export type Outcome = Pick<Migration, "reconciled" | "run_kind" | "outdated_by_undo">;

/**
 * A delta goes on from a run that has read everything, or from a delta that did not reach its end; after an undo that
 * may have taken records out, from neither.
 */
export function canBegin({ reconciled, run_kind: kind, outdated_by_undo: isOutdated }: Outcome): boolean {
  return reconciled === true || (kind === "delta" && !isOutdated);
}

/** Why neither a delta nor a retry can go on from the last run. */
export function whyNotWhole({ outdated_by_undo: isOutdated }: Outcome): string {
  return isOutdated ? "An undo may have taken records out" : "The last run has not read everything";
}

/** A schedule goes on after a run that was cancelled or has failed, so it stays in sight, and can be stopped. */
export function hasDeltas(migration: Pick<Migration, "status" | "reconciled" | "delta_schedule">): boolean {
  return migration.status !== "undone" && (migration.reconciled === true || migration.delta_schedule !== null);
}
