import type { UndoKey } from "@/lib/migration/migration-schema";

import { pool, prisma, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { describeFailure, isTransient, logFailure } from "@/lib/migration/failure";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import { moveStatus, unlessEnded } from "@/lib/migration/status";
import { deletePage } from "@/lib/migration/undo/delete-created";
import { forgetAliases, purgeDeletions } from "@/lib/migration/undo/purge-traces";
import { removeImportedFiles } from "@/lib/migration/undo/remove-files";
import { restorePage } from "@/lib/migration/undo/restore-changed";
import { countSteps, forgetReading, isUndoing, lockStep, nextStep } from "@/lib/migration/undo/undo-steps";

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
  await unlessEnded(moveStatus(pool(), undo, "failed", { failure }, { from: ["undoing"] }));
}

async function work(undo: UndoKey, deadline: number): Promise<"more" | "ended"> {
  if (!(await isUndoing(undo))) return "ended";
  await countSteps(undo);
  const emits = await sendsEvents(undo);
  while (await isUndoing(undo)) {
    const step = await nextStep(undo);
    if (!step) {
      if (!(await purgeRest(undo, deadline))) return (await isUndoing(undo)) ? "more" : "ended";
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

/** What goes after the records. False: there is more, or the undo was stopped. */
async function purgeRest(undo: UndoKey, deadline: number): Promise<boolean> {
  if (!(await removeImportedFiles(undo, deadline))) return false;
  return (await forgetAliases(undo, deadline)) && purgeDeletions(undo, deadline);
}

async function sendsEvents({ organizationId, migrationId }: UndoKey): Promise<boolean> {
  const stored = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: { configuration: true },
  });
  return parseConfiguration(stored?.configuration).send_events;
}

function finishUndo(undo: UndoKey): Promise<void> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await forgetReading(client, undo);
    await moveStatus(client, undo, "undone", { failure: null, undo_finished_at: new Date() });
  });
}
