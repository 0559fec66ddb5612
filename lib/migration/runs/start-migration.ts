import type { PoolClient } from "pg";
import { z } from "zod";

import { idInput } from "@/lib/input/ids-and-times";
import { assertConfiguration } from "@/lib/migration/configuration/assert-configuration";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { auditConfiguration, lockConfiguration } from "@/lib/migration/configuration/configure-migration";
import { givenConfiguration } from "@/lib/migration/configuration/given-configuration";
import { mappingTags } from "@/lib/migration/configuration/configuration-tags";
import { changeMigration } from "@/lib/migration/change-migration";
import { findMigrationContents, parseReport, parseConfiguration } from "@/lib/migration/migration-contents";
import { migration, type RunKey, type MigrationKey } from "@/lib/migration/migration-schema";
import { MAX_PHASE } from "@/lib/migration/objects/source-object-names";
import { beginRun, startAndEnqueue, STARTED, type StartRequest } from "@/lib/migration/runs/begin-run";
import { resetObjects, runObjects } from "@/lib/migration/runs/run-objects";
import { moveStatus } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

export const startMigration = defineOperation({
  name: "run_migration",
  summary:
    "Start a migration that has been analyzed, or run it again: what has been imported stays, and nothing is " +
    "imported twice.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: z.strictObject({
    migration_id: idInput("`migration_id` must be the id of a migration: a UUID of version 7."),
    configuration: givenConfiguration
      .optional()
      .describe("Replaces what is stored. Absent: what is stored, or the report's suggestions."),
    phase: z
      .int()
      .min(1)
      .max(MAX_PHASE)
      .optional()
      .describe("Only the objects of this phase of the configuration. Absent: all objects."),
  }),
  output: migration,
  async run(context, { migration_id, configuration, phase }) {
    const stored = await findMigrationContents(context.organizationId, migration_id);
    const report = configuration && parseReport(stored);
    if (report) await assertConfiguration(context.organizationId, configuration, report, "/configuration");
    const details = phase === undefined ? {} : { phase };
    const request: StartRequest = { action: "migration.started", who: context, details };
    return changeMigration(context, migration_id, (client, key) =>
      startAndEnqueue(client, key, request, async () => {
        if (configuration) {
          const before = await lockConfiguration(client, context, migration_id);
          await auditConfiguration(client, context, migration_id, { before, after: configuration });
        }
        return startRun(client, key, configuration, phase);
      }),
    );
  },
});

/**
 * Starts a run in the transaction of the caller: moves the migration to `running`, counts the run, and resets the
 * progress of its objects: of all, or of those of one phase. `given` replaces the stored configuration. Throws
 * `illegal_state` and `not_found`; `conflict` when the connection now leads to another org or user; `invalid_request`
 * when nothing is selected or a selected object cannot be read.
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
  const choices = parseConfiguration(stored.configuration);
  // Also those of choices that a release without tags, or with other ones, has saved.
  await client.query("UPDATE migrations SET mapping_tags = $3 WHERE organization_id = $1 AND id = $2", [
    key.organizationId,
    key.migrationId,
    JSON.stringify(mappingTags(choices)),
  ]);
  await resetObjects(client, key, runObjects(choices, stored.report?.inventory ?? [], phase));
  return run;
}
