import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { Fault } from "@/scripts/service/fault";

const COLUMNS = ["source", "created", "updated", "unchanged", "skipped", "failed"] as const;
const NAME_WIDTH = 16;
const NUMBER_WIDTH = 11;

/** The reconciliation as text: a line per object, and whether its sum matches. */
export function reconciliationTable(objects: readonly ObjectProgress[]): string {
  const head = ["object".padEnd(NAME_WIDTH), ...COLUMNS.map((column) => column.padStart(NUMBER_WIDTH))].join("");
  const rows = objects.map((object) =>
    [
      object.object.padEnd(NAME_WIDTH),
      ...COLUMNS.map((column) => cell(object[column])),
      object.reconciled ? "  ✓" : "  ✗ does not match",
    ].join(""),
  );
  return [head, "─".repeat(head.length), ...rows].join("\n");
}

function cell(value: number | null): string {
  return (value === null ? "?" : value.toLocaleString("en")).padStart(NUMBER_WIDTH);
}

/** The reconciliation as JSON, for programs. */
export function reconciliationJson(migration: Migration, seconds: number): string {
  const objects = migration.objects.map((object) => ({
    object: object.object,
    ...Object.fromEntries(COLUMNS.map((column) => [column, object[column]])),
  }));
  const { migration_id, status, reconciled } = migration;
  return JSON.stringify({ migration_id, status, reconciled, seconds: Math.round(seconds * 10) / 10, objects });
}

/** Throws Fault if a record is not accounted for. */
export function assertReconciled({ reconciled }: Pick<Migration, "reconciled">): void {
  if (reconciled !== true)
    throw new Fault("The migration does not reconcile: the table above shows the objects whose sums do not match.");
}
