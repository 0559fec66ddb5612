import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { type Configuration, configuration, type Report } from "@/lib/migration/schemas";
import type { MigrationState } from "@/lib/migration/state";

/** What a migration holds besides its record: the outcome of its analysis and the user's choices. */
export interface Stored {
  state: MigrationState;
  /** Null until the analysis is complete: while it runs, its drafts stand in the same place. */
  report: Report | null;
  configuration: Configuration;
}

/** Throws `not_found`, also for another organization's migration. */
export async function findStored(organizationId: string, migrationId: string): Promise<Stored> {
  const found = isId(migrationId)
    ? await pool().query<{ state: MigrationState; report: Report | null; configuration: unknown }>(
        `SELECT state, report, configuration FROM migrations WHERE organization_id = $1 AND id = $2`,
        [organizationId, migrationId],
      )
    : null;
  const row = found?.rows[0];
  if (!row) throw new AppError("not_found", "There is no migration with this id.");
  const report = row.state === "analyzing" ? null : row.report;
  return { state: row.state, report, configuration: configuration.parse(row.configuration ?? {}) };
}
