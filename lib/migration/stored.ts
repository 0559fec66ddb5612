import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { type Configuration, configuration, type Report } from "@/lib/migration/schemas";
import type { MigrationStatus } from "@/lib/migration/status";

/** What a migration holds besides its record: the outcome of its analysis and the user's choices. */
export interface Stored {
  status: MigrationStatus;
  /** JSON, which may have megabytes. Null until the analysis is complete: while it runs, its drafts stand in the same place. */
  report: string | null;
  configuration: Configuration;
}

/** Throws `not_found`, also for another organization's migration. */
export async function findStored(organizationId: string, migrationId: string): Promise<Stored> {
  const found = isId(migrationId)
    ? await pool().query<{ status: MigrationStatus; report: string | null; configuration: unknown }>(
        `SELECT status, report::text, configuration FROM migrations WHERE organization_id = $1 AND id = $2`,
        [organizationId, migrationId],
      )
    : null;
  const row = found?.rows[0];
  if (!row) throw new AppError("not_found", "There is no migration with this id.");
  const report = row.status === "analyzing" ? null : row.report;
  return { status: row.status, report, configuration: configuration.parse(row.configuration ?? {}) };
}

/** The report of a migration, to look things up in; null until the analysis is complete. */
export function reportIn({ report }: Pick<Stored, "report">): Report | null {
  return report === null ? null : (JSON.parse(report) as Report);
}
