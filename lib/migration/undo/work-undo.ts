import type { UndoKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { pool, prisma, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { configuration } from "@/lib/migration/configuration/configuration-schema";
import { describeFailure, isTransient, logFailure } from "@/lib/migration/failure";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { moveStatus } from "@/lib/migration/status";
import { deletePage } from "@/lib/migration/undo/delete-created";
import { removeImportedFiles } from "@/lib/migration/undo/remove-files";
import { restorePage } from "@/lib/migration/undo/restore-changed";
import {
  countSteps,
  forgetReading,
  isUndoing,
  lockStep,
  nextStep,
  PURGED_DELETIONS,
} from "@/lib/migration/undo/undo-steps";

/**
 * Works on an undo for about `milliseconds` from where the last slice stopped: `more` means to call again. All progress
 * is in the database, and a page is one transaction, so a slice that is killed can be repeated. Throws transient
 * errors, so that the job retries. All others end the undo in `failed`, from where it can be started again.
 */
export async function workUndo(undo: UndoKey, milliseconds: number): Promise<"more" | "ended"> {
  try {
    return await work(undo, performance.now() + milliseconds);
  } catch (error) {
    if (isTransient(error)) throw error;
    await failUndo(undo, error);
    return "ended";
  }
}

/** Ends an undo in `failed`. Leaves one that has ended unchanged. */
export async function failUndo(undo: UndoKey, error: unknown): Promise<void> {
  const failure = describeFailure(error, "undo");
  logFailure({ work: "undo", migrationId: undo.migrationId }, failure, error);
  await moveStatus(pool(), undo, "failed", { failure }, { from: ["undoing"] }).catch((refusal: unknown) => {
    if (!(refusal instanceof AppError)) throw refusal;
  });
}

async function work(undo: UndoKey, deadline: number): Promise<"more" | "ended"> {
  if (!(await isUndoing(undo))) return "ended";
  await countSteps(undo);
  const emits = await sendsEvents(undo);
  while (await isUndoing(undo)) {
    const step = await nextStep(undo);
    if (!step) {
      if (!(await removeImportedFiles(undo, deadline))) return "more";
      await finishUndo(undo);
      return "ended";
    }
    await retriedTransaction(async (client) => {
      await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
      if (!(await lockStep(client, undo, step))) return;
      await (step.action === "restore" ? restorePage : deletePage)(client, undo, step, emits);
    });
    if (performance.now() >= deadline) return "more";
  }
  return "ended";
}

async function sendsEvents({ organizationId, migrationId }: UndoKey): Promise<boolean> {
  const stored = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: { configuration: true },
  });
  return configuration.parse(stored?.configuration ?? {}).send_events;
}

function finishUndo(undo: UndoKey): Promise<void> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await forgetAliases(client, undo);
    await purgeDeleted(client, undo);
    await forgetReading(client, undo);
    await moveStatus(client, undo, "undone", { failure: null, undo_finished_at: new Date() });
  });
}

/** The other external ids that the migration found for records which it did not create, unless those are kept. */
async function forgetAliases(client: PoolClient, { organizationId, migrationId }: UndoKey): Promise<void> {
  await client.query(
    `DELETE FROM ext_aliases a WHERE a.organization_id = $1 AND a.migration_id = $2
       AND NOT EXISTS (SELECT FROM migration_undo_kept k WHERE k.organization_id = $1 AND k.migration_id = $2
         AND k.resource = a.entity AND k.record_id = a.record_id)`,
    [organizationId, migrationId],
  );
}

/** Purges {@link PURGED_DELETIONS}. The numbers of their cases are free. */
async function purgeDeleted(client: PoolClient, { organizationId, migrationId }: UndoKey): Promise<void> {
  await client.query(
    `WITH purged AS (
       DELETE FROM deleted_records d WHERE d.organization_id = $1 AND d.deletion_id IN (${PURGED_DELETIONS})
       RETURNING d.resource, d.id
     )
     DELETE FROM retired_case_numbers r USING purged
     WHERE r.organization_id = $1 AND purged.resource = 'cases' AND r.case_id = purged.id`,
    [organizationId, migrationId],
  );
}
