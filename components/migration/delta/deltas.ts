import type { Migration } from "@/lib/migration/migration-schema";

/** A delta goes on from a run that has read everything, or from a delta that did not reach its end. */
export function canBegin({ reconciled, run_kind: kind }: Pick<Migration, "reconciled" | "run_kind">): boolean {
  return reconciled === true || kind === "delta";
}

/** A schedule goes on after a run that was cancelled or has failed, so it stays in sight, and can be stopped. */
export function hasDeltas(migration: Pick<Migration, "status" | "reconciled" | "delta_schedule">): boolean {
  return migration.status !== "undone" && (migration.reconciled === true || migration.delta_schedule !== null);
}
