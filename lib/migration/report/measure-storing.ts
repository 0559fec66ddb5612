import { setStatementTimeout } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { rolledBack } from "@/lib/database/rolled-back";
import { loadOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { MigrationKey } from "@/lib/migration/status";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Of fewer records, most of the time is that of the statements around them. */
const MIN_RECORDS = 50;

/** Others of the organization wait for the rows that are written. */
const TIMEOUT_MS = 5000;

/** Statements that were cancelled, and locks that were not to be had in time (PostgreSQL, appendix A). */
const BUSY = new Set(["57014", "55P03"]);

/**
 * Milliseconds in which a run would map and store sampled records, measured with these records in a transaction that is
 * always rolled back. Null if there are too few, or if the database was too busy.
 */
export async function measureStoring(
  { organizationId, migrationId }: MigrationKey,
  plan: Plan,
  records: readonly SourceRecord[],
): Promise<number | null> {
  if (records.length < MIN_RECORDS) return null;
  const run = { organizationId, migrationId, runNumber: 0 };
  return rolledBack(async (client) => {
    await setStatementTimeout(client, TIMEOUT_MS);
    await client.query(`SET LOCAL lock_timeout = ${TIMEOUT_MS}`);
    const target = { client, run, plan, choices: { send_events: false, repeat: "source_wins" as const } };
    // The first time, PostgreSQL reads what it knows of the tables. A run does that once for millions.
    for (let again = false; ; again = true) {
      const started = performance.now();
      const outcomes = records.map((record) => transform(plan, record, NOBODY, organizationId));
      await client.query("SAVEPOINT measured");
      await loadOutcomes(target, outcomes, null);
      if (again) return Math.ceil(performance.now() - started);
      await client.query("ROLLBACK TO SAVEPOINT measured");
    }
  }).catch((error: unknown) => {
    if (BUSY.has(postgresCode(error) ?? "")) return null;
    throw error;
  });
}
