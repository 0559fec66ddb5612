import { prisma, transaction } from "@/lib/database/db";
import { auditMigration } from "@/lib/migration/audit-migration";
import { changeMigration } from "@/lib/migration/change-migration";
import { enqueueRun } from "@/lib/migration/enqueue-jobs";
import { migration } from "@/lib/migration/migration-schema";
import { recordHistory } from "@/lib/migration/history/record-history";
import { migrationInput } from "@/lib/migration/migration-key";
import { moveStatus } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

/** The page that is being stored is finished first: its transaction has locked the migration. */
export const pauseMigration = defineOperation({
  name: "pause_migration",
  summary: "Pause a running migration. What has been imported stays, and the run can go on from there.",
  scopes: ["crm:write"],
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) =>
    changeMigration(context, migration_id, async (client, key) => {
      await moveStatus(client, key, "paused", { failure: null }, { by: context.userId });
      await auditMigration(client, key, "migration.paused", context);
    }),
});

export const resumeMigration = defineOperation({
  name: "resume_migration",
  summary: "Let a paused migration go on where it stopped. Nothing is imported twice.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: migrationInput,
  output: migration,
  async run(context, { migration_id }) {
    const resumedAt = new Date();
    const changes = { failure: null, resumed_at: resumedAt, worker_id: null };
    return changeMigration(context, migration_id, async (client, key) => {
      await moveStatus(client, key, "running", changes, { from: ["paused"], by: context.userId });
      await auditMigration(client, key, "migration.resumed", context);
      const { run_number: runNumber } = await prisma().migrations.findFirstOrThrow({
        where: { organization_id: key.organizationId, id: migration_id },
        select: { run_number: true },
      });
      await enqueueRun(client, { ...key, runNumber }, resumedAt);
    });
  },
});

/** Objects that were not read to their end keep their counts: those say what stands. */
const STOP_OBJECTS = `UPDATE migration_objects SET status = 'pending'
  WHERE organization_id = $1 AND migration_id = $2 AND status = 'running'`;

export const cancelMigration = defineOperation({
  name: "cancel_migration",
  summary:
    "End a running or paused migration. What has been imported stays, and the counts of each object say how much " +
    "that is. A new run starts from the beginning and imports nothing twice.",
  scopes: ["crm:write"],
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) =>
    changeMigration(context, migration_id, async (client, key) => {
      await moveStatus(client, key, "cancelled", { failure: null, finished_at: new Date() }, { by: context.userId });
      await client.query(STOP_OBJECTS, [key.organizationId, key.migrationId]);
      await auditMigration(client, key, "migration.cancelled", context);
    }),
});

const RESUME = `UPDATE migrations SET status = 'running', failure = NULL, resumed_at = now(), worker_id = NULL,
    updated_at = now()
  WHERE organization_id = $1 AND connection_id = $2 AND status = 'paused'
    AND failure ->> 'code' = 'source_token_refused'
  RETURNING id, run_number, resumed_at`;

const CONNECTED = "The Salesforce org was connected again.";

/** Lets the migrations of a connection go on that paused because Salesforce refused the access that they had. */
export async function resumeAfterSignIn(organizationId: string, connectionId: string): Promise<void> {
  await transaction(async (client) => {
    const { rows } = await client.query<{ id: string; run_number: number; resumed_at: Date }>(RESUME, [
      organizationId,
      connectionId,
    ]);
    for (const { id: migrationId, run_number: runNumber, resumed_at: resumedAt } of rows) {
      const run = { organizationId, migrationId, runNumber };
      await recordHistory(client, run, { event: "resumed", details: { reason: CONNECTED } });
      await enqueueRun(client, run, resumedAt);
    }
  });
}
