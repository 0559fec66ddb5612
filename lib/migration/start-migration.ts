import type { PoolClient } from "pg";

import { assertSameSource } from "@/lib/migration/assert-same-source";
import { auditMigration } from "@/lib/migration/audit-migration";
import { assertConfiguration } from "@/lib/migration/configuration/assert-configuration";
import {
  type Configuration,
  configuration as configurationSchema,
} from "@/lib/migration/configuration/configuration-schema";
import { auditConfiguration } from "@/lib/migration/configuration/configure-migration";
import { givenConfiguration } from "@/lib/migration/configuration/given-configuration";
import { mappingTags } from "@/lib/migration/configuration/configuration-tags";
import { changeMigration } from "@/lib/migration/change-migration";
import { enqueueRun } from "@/lib/migration/enqueue-jobs";
import { findMigrationContents, parseReport } from "@/lib/migration/find-migration";
import { recordHistory, shortenHistory } from "@/lib/migration/history/record-history";
import { migration, runInput, type Migration } from "@/lib/migration/migration-schema";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import type { Report } from "@/lib/migration/report/report-schema";
import { resetObjects, runObjects } from "@/lib/migration/run-objects";
import { type MigrationKey, migrationNotFound, moveStatus } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

export const startMigration = defineOperation({
  name: "run_migration",
  summary:
    "Start a migration that has been analyzed, or run it again: what has been imported stays, and nothing is " +
    "imported twice.",
  scopes: ["crm:write"],
  stores: true,
  input: runInput.extend({ configuration: givenConfiguration.optional() }),
  output: migration,
  async run(context, { migration_id, configuration, phase }) {
    const stored = await findMigrationContents(context.organizationId, migration_id);
    const report = configuration && parseReport(stored);
    if (report) await assertConfiguration(context.organizationId, configuration, report, "/configuration");
    const key = { organizationId: context.organizationId, migrationId: migration_id };
    return changeMigration(context, migration_id, async (client) => {
      await auditMigration(client, key, "migration.started", context, phase === undefined ? {} : { phase });
      if (configuration)
        await auditConfiguration(client, context, migration_id, { before: stored.configuration, after: configuration });
      const started = await startRun(client, key, configuration, phase);
      await recordStart(client, started, context.userId);
      await enqueueRun(client, started);
    });
  },
});

/** Stores in the history that a run has started, by a user or by a schedule, and keeps the history short. */
export async function recordStart(client: PoolClient, run: RunKey, by?: string): Promise<void> {
  await recordHistory(client, run, { event: "run_started", by });
  await shortenHistory(client, run);
}

interface MigrationRow {
  configuration: unknown;
  connection_id: string;
  report: ({ inventory?: { object: string; status: string }[] } & Partial<Pick<Report, "org" | "analyzed_as">>) | null;
}

/**
 * Starts a run in the transaction of the caller: moves the migration to `running`, counts the run, and resets the
 * progress of its objects: of all, or of those of one phase. `given` replaces the stored configuration. Enqueue
 * the run that this returns. Throws `illegal_state` and `not_found`;
 * `conflict` when the connection now leads to another org or user; `invalid_request` when nothing is selected or a
 * selected object cannot be read.
 */
export async function startRun(
  client: PoolClient,
  key: MigrationKey,
  given?: Configuration,
  phase?: number,
): Promise<RunKey> {
  await moveStatus(client, key, "running", {
    ...STARTED,
    started_at: new Date(),
    ...(given && { configuration: given }),
  });
  const { run, stored } = await beginRun(client, key, "full");
  const choices = configurationSchema.parse(stored.configuration ?? {});
  // Also those of choices that a release without tags, or with other ones, has saved.
  await client.query("UPDATE migrations SET mapping_tags = $3 WHERE organization_id = $1 AND id = $2", [
    key.organizationId,
    key.migrationId,
    JSON.stringify(mappingTags(choices)),
  ]);
  await resetObjects(client, key, runObjects(choices, stored.report?.inventory ?? [], phase));
  return run;
}

/** What a run changes with the status when it starts, besides the time. */
export const STARTED = { failure: null, resumed_at: null, finished_at: null };

/**
 * Counts a run of a migration that is `running` since just now. A retry keeps the moment until which the
 * source was read; others read what exists now. Throws `conflict` when the connection now leads to another org or user.
 */
export async function beginRun(
  client: PoolClient,
  key: MigrationKey,
  kind: Migration["run_kind"],
): Promise<{ run: RunKey; stored: MigrationRow }> {
  const advanced = await client.query<MigrationRow & { run_number: number }>(
    `UPDATE migrations SET run_number = run_number + 1, run_kind = $3::migration_run_kind, wakes_at = NULL,
       worker_id = NULL,
       read_until = CASE WHEN $3::migration_run_kind = 'retry' THEN read_until END,
       api_requests = 0, api_counted_since = NULL
     WHERE organization_id = $1 AND id = $2 RETURNING run_number, connection_id, configuration, report`,
    [key.organizationId, key.migrationId, kind],
  );
  const stored = advanced.rows[0];
  if (!stored) throw migrationNotFound();
  await assertSameSource(key.organizationId, stored.connection_id, stored.report ?? {});
  return { run: { ...key, runNumber: stored.run_number }, stored };
}
