import { expect } from "vitest";

import type { Context } from "@/lib/context";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";
import { statusOf, undo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

async function impactOf(context: Context, { migrationId }: MigrationKey): Promise<UndoImpact["resources"]> {
  const impact = (await run(getUndoImpact, context, { migration_id: migrationId })) as unknown as UndoImpact;
  return impact.resources;
}

function byName<Line extends { resource: string }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((one, other) => one.resource.localeCompare(other.resource));
}

/** Undoes a migration. Fails where that does not do what was foretold, and returns what it was. */
export async function undoAsForetold(context: Context, key: MigrationKey) {
  const impact = await impactOf(context, key);
  await undo(context, key);
  const { progress } = await statusOf(key);
  const kept = await pool().query<{ resource: string; code: string; count: number }>(
    `SELECT resource, code, count(*)::int FROM migration_undo_kept WHERE migration_id = $1 GROUP BY resource, code`,
    [key.migrationId],
  );
  const foretold = impact.map((line) => ({
    resource: line.resource,
    deleted: line.delete,
    restored: line.restore,
    kept: Object.fromEntries(line.keep.map(({ code, count }) => [code, count])),
  }));
  const done = (progress?.resources ?? [])
    .filter(({ deleted, restored, kept: left }) => deleted + restored + left > 0)
    .map(({ resource, deleted, restored }) => ({
      resource,
      deleted,
      restored,
      kept: Object.fromEntries(
        kept.rows.flatMap((row) => (row.resource === resource ? [[row.code, row.count] as const] : [])),
      ),
    }));
  expect(byName(foretold)).toEqual(byName(done));
  return foretold;
}
