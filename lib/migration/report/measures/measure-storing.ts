import { Overtaken, setStatementTimeout } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { rolledBack } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { loadOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The fewest records to measure. Of fewer, most of the time is that of the statements around them. */
const MIN_RECORDS = 50;

/** Others of the organization wait for the rows that are written. */
const STATEMENT_TIMEOUT_MS = 2000;

/** An estimate is not worth a longer wait for others. */
const LOCK_TIMEOUT_MS = 300;

/** How long storing took, and how many records it was: the others are left out, or need a record that is not here. */
export interface StoringMeasure {
  records: number;
  milliseconds: number;
}

/**
 * Measures how long a run takes to map and store records, with sampled records in a transaction that is always rolled
 * back. Null if too few of them are stored, as it is with entries of threads as long as their cases are not here, or if
 * the database refuses it, for which the analysis must not fail.
 */
export async function measureStoring(
  { organizationId, migrationId }: MigrationKey,
  plan: Plan,
  records: readonly SourceRecord[],
): Promise<StoringMeasure | null> {
  if (records.length < MIN_RECORDS) return null;
  const run = { organizationId, migrationId, runNumber: 0 };
  return rolledBack(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const target = { client, run, plan, choices: { send_events: false, repeat: "source_wins" as const } };
    // The first time, PostgreSQL reads what it knows of the tables. A run does that once for millions.
    for (let again = false; ; again = true) {
      const started = performance.now();
      const outcomes = records.map((record) => transform(plan, record, NOBODY, organizationId));
      await client.query("SAVEPOINT measured");
      const { created, updated, unchanged } = await loadOutcomes(target, outcomes, null);
      const stored = created + updated + unchanged;
      if (stored < MIN_RECORDS) return null;
      if (again) return { records: stored, milliseconds: Math.ceil(performance.now() - started) };
      await client.query("ROLLBACK TO SAVEPOINT measured");
    }
  }).catch((error: unknown) => {
    const code = postgresCode(error);
    if (code === undefined && !(error instanceof AppError) && !(error instanceof Overtaken)) throw error;
    log.warn({ migration_id: migrationId, object: plan.object.name, code }, "the speed of storing was not measured");
    return null;
  });
}
