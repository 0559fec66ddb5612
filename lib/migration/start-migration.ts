import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { requestJob } from "@/lib/jobs";
import { checkConfiguration } from "@/lib/migration/check-configuration";
import { findMigration } from "@/lib/migration/migration-view";
import { failRun } from "@/lib/migration/pipeline/finish-run";
import { recordConfigured } from "@/lib/migration/record-configured";
import { migration, runInput } from "@/lib/migration/schemas";
import { startRun } from "@/lib/migration/start-run";
import type { Failure } from "@/lib/migration/status";
import { findStored, reportIn } from "@/lib/migration/stored";
import { defineOperation } from "@/lib/operation";

/** Without its job the migration would be running for ever. */
const NOT_QUEUED: Failure = {
  code: "internal_error",
  detail: "The run could not be handed to the worker, so nothing was imported.",
  remedy: "Run the migration again.",
};

export const startMigration = defineOperation({
  name: "run_migration",
  summary: "Start a migration that has been analyzed, or run it again: what has been imported stays, and nothing is imported twice.",
  scopes: ["crm:write"],
  stores: true,
  input: runInput,
  output: migration,
  async run(context, { migration_id, configuration }) {
    const stored = await findStored(context.organizationId, migration_id);
    const report = configuration && reportIn(stored);
    if (report) checkConfiguration(configuration, report, "/configuration");
    const key = { organizationId: context.organizationId, migrationId: migration_id };
    const run = await transaction(async (client) => {
      const { organizationId, userId, clientId, address } = context;
      await recordAudit(client, { organizationId, action: "migration.started", address, userId, clientId, details: { migration_id } });
      if (configuration) await recordConfigured(client, context, migration_id, { before: stored.configuration, after: configuration });
      return startRun(client, key, configuration);
    });
    const event = { organization_id: run.organizationId, migration_id, run_number: run.runNumber };
    await requestJob("migration/run.requested", event, `run-${migration_id}-${run.runNumber}`).catch(async (error: unknown) => {
      await failRun(run, NOT_QUEUED);
      throw error;
    });
    return findMigration(context.organizationId, migration_id);
  },
});
