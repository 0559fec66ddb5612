import { z } from "zod";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { auditMigration } from "@/lib/migration/audit-migration";
import { recordHistory } from "@/lib/migration/history/record-history";
import { findMigration, IS_UNDO_FAILED } from "@/lib/migration/find-migration";
import { migration, type Migration } from "@/lib/migration/migration-schema";
import { migrationInput, migrationKey } from "@/lib/migration/migration-key";
import { ENDED, statusOf } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

const MIN_MINUTES = 15;

/** A day, so that a daily delta is never older than what Salesforce remembers of deletions. */
const MAX_MINUTES = 1440;

export const scheduleDeltas = defineOperation({
  name: "schedule_migration_deltas",
  summary:
    "Start a delta every so many minutes from now on, until the schedule is removed or the migration is undone. One " +
    "that would fall into another run of the migration is started after it.",
  scopes: ["crm:write"],
  stores: true,
  input: z.strictObject({
    migration_id: pathId("migration"),
    every_minutes: z.int().min(MIN_MINUTES).max(MAX_MINUTES),
  }),
  output: migration,
  run: (context, { migration_id, every_minutes }) => setSchedule(context, migration_id, every_minutes),
});

export const unscheduleDeltas = defineOperation({
  name: "unschedule_migration_deltas",
  summary: "Start no more deltas by a schedule: the cut-over. What was imported stays.",
  scopes: ["crm:write"],
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) => setSchedule(context, migration_id, null),
});

/**
 * A migration has no schedule before its first run has ended, nor once it is undone, nor after an undo that failed: a
 * delta would bring only what changed since.
 */
const SCHEDULABLE = ["running", "paused", ...ENDED];

const SET_SCHEDULE = `
  UPDATE migrations m SET delta_every_minutes = $3::int, delta_next_at = now() + $3::int * interval '1 minute'
  WHERE organization_id = $1 AND id = $2 AND delta_every_minutes IS DISTINCT FROM $3::int
    AND ($3::int IS NULL OR (status::text = ANY ($4::text[]) AND NOT ${IS_UNDO_FAILED}))`;

const HAS_SCHEDULE = `
  SELECT FROM migrations
  WHERE organization_id = $1 AND id = $2 AND delta_every_minutes IS NOT DISTINCT FROM $3::int`;

/** A schedule that is as it was leaves no trace: removing one is never refused, and the audit log keeps each entry. */
async function setSchedule(context: Context, migrationId: string, minutes: number | null): Promise<Migration> {
  const { organizationId, userId } = context;
  const key = migrationKey(context, migrationId);
  await retriedTransaction(async (client) => {
    const schedule = [organizationId, migrationId, minutes];
    const { rowCount } = await client.query(SET_SCHEDULE, [...schedule, SCHEDULABLE]);
    if (rowCount !== 1) {
      if ((await client.query(HAS_SCHEDULE, schedule)).rowCount === 1) return;
      throw notSchedulable(await statusOf(client, key));
    }
    await auditMigration(client, key, "migration.deltas_scheduled", context, { every_minutes: minutes });
    await recordHistory(
      client,
      key,
      minutes === null
        ? { event: "delta_unscheduled", by: userId }
        : { event: "delta_scheduled", by: userId, details: { every_minutes: minutes } },
    );
  });
  return findMigration(organizationId, migrationId);
}

function notSchedulable(status: string): AppError {
  return new AppError(
    "illegal_state",
    `Deltas cannot be scheduled for a migration with the status \`${status}\`. Run it first.`,
  );
}
