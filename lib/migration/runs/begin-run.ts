import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { assertSameSource } from "@/lib/migration/assert-same-source";
import { auditMigration, type MigrationAction, type Who } from "@/lib/migration/audit-migration";
import { filesFaults } from "@/lib/migration/configuration/assert-configuration";
import { enqueueRun } from "@/lib/migration/enqueue-jobs";
import { recordHistory, shortenHistory } from "@/lib/migration/history/record-history";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import type { Migration, RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";
import { migrationNotFound } from "@/lib/migration/migration-key";

/** What the audit log says of the start of a run, and who asked for it. */
export interface StartRequest {
  action: MigrationAction;
  who: Who;
  details?: Record<string, unknown>;
}

/**
 * Starts a run by `start` in the transaction of the caller, records it in the audit log and the history, and enqueues
 * its job.
 */
export async function startAndEnqueue(
  client: PoolClient,
  key: MigrationKey,
  { action, who, details }: StartRequest,
  start: (client: PoolClient, key: MigrationKey) => Promise<RunKey>,
): Promise<void> {
  await auditMigration(client, key, action, who, details);
  const run = await start(client, key);
  await recordHistory(client, run, { event: "run_started", by: who?.userId });
  await shortenHistory(client, run);
  await enqueueRun(client, run);
}

/** What a run changes with the status when it starts, besides the time. */
export const STARTED = { failure: null, resumed_at: null, finished_at: null };

interface MigrationRow {
  configuration: unknown;
  connection_id: string;
  report: ({ inventory?: { object: string; status: string }[] } & Partial<Pick<Report, "org" | "analyzed_as">>) | null;
}

/**
 * Counts a run of a migration that is `running` since just now. A retry keeps the moment until which the source was
 * read; others read what exists now. Throws `conflict` when the connection now leads to another org or user, and
 * `illegal_state` when files are to be copied and the service keeps none any more.
 */
export async function beginRun(
  client: PoolClient,
  key: MigrationKey,
  kind: Migration["run_kind"],
): Promise<{ run: RunKey; stored: MigrationRow }> {
  const advanced = await client.query<MigrationRow & { run_number: number }>(
    `UPDATE migrations SET run_number = run_number + 1, run_kind = $3::migration_run_kind, worker_id = NULL,
       read_until = CASE WHEN $3::migration_run_kind = 'retry' THEN read_until END,
       api_requests = 0, api_counted_since = NULL
     WHERE organization_id = $1 AND id = $2 RETURNING run_number, connection_id, configuration, report`,
    [key.organizationId, key.migrationId, kind],
  );
  const stored = advanced.rows[0];
  if (!stored) throw migrationNotFound();
  await assertSameSource(key.organizationId, stored.connection_id, stored.report ?? {});
  const [fault] = filesFaults(parseConfiguration(stored.configuration), "/files/copy");
  if (fault) throw new AppError("illegal_state", fault.detail);
  return { run: { ...key, runNumber: stored.run_number }, stored };
}
