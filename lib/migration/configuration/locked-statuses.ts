import type { MigrationStatus } from "@/lib/migration/migration-schema";

/** Statuses in which the choices of a migration cannot be changed, and why. */
export const LOCKED_BECAUSE: Partial<Record<MigrationStatus, string>> = {
  analyzing: "The migration is still being analyzed",
  analysis_failed: "The migration could not be analyzed",
  running: "The migration is running",
  paused: "The migration is paused in the middle of a run",
  undoing: "The migration is being undone",
  undone: "The migration has been undone",
};

/** Whether the choices can only be looked at. */
export function isLocked(status: MigrationStatus): boolean {
  return status in LOCKED_BECAUSE;
}
