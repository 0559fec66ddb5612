import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { idOrNull } from "@/lib/ids";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationStatus } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";
import { migrationNotFound } from "@/lib/migration/migration-key";

/** The parts of a migration that its record leaves out: the result of its analysis, and the choices of the user. */
interface MigrationContents {
  status: MigrationStatus;
  /** JSON of up to some megabytes. Null until the analysis is complete: until then the column has its drafts. */
  report: string | null;
  configuration: Configuration;
}

/** Throws `not_found`, also for a migration of another organization. */
export async function findMigrationContents(organizationId: string, migrationId: string): Promise<MigrationContents> {
  const { rows } = await pool().query<{ status: MigrationStatus; report: string | null; configuration: unknown }>(
    `SELECT status, report::text, configuration FROM migrations WHERE organization_id = $1 AND id = $2`,
    [organizationId, idOrNull(migrationId)],
  );
  const [row] = rows;
  if (!row) throw migrationNotFound();
  const report = row.status === "analyzing" ? null : row.report;
  return { status: row.status, report, configuration: parseConfiguration(row.configuration) };
}

/** The configuration that is stored with a migration; the defaults before any is. */
export function parseConfiguration(stored: unknown): Configuration {
  return configurationSchema.parse(stored ?? {});
}

/** The report as an object; null until the analysis is complete. */
export function parseReport({ report }: Pick<MigrationContents, "report">): Report | null {
  return report === null ? null : (JSON.parse(report) as Report);
}

/** The report as an object. Throws `illegal_state` until the analysis is complete. */
export function requireReport(stored: Pick<MigrationContents, "report" | "status">): Report {
  return JSON.parse(requireReportJson(stored)) as Report;
}

/** The JSON of the report. Throws `illegal_state` until the analysis is complete. */
export function requireReportJson({ report, status }: Pick<MigrationContents, "report" | "status">): string {
  if (report !== null && status !== "analysis_failed") return report;
  throw new AppError(
    "illegal_state",
    status === "analyzing"
      ? "The migration is still being analyzed (status `analyzing`). Its report is available once it is `ready`."
      : `There is no report: the analysis failed (status \`${status}\`). Analyze the Salesforce org again.`,
  );
}
