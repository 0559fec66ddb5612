import { z } from "zod";

import { pool } from "@/lib/database/db";
import { MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { auditMigration } from "@/lib/migration/audit-migration";
import { changeMigration } from "@/lib/migration/change-migration";
import { enqueueUndo } from "@/lib/migration/enqueue-jobs";
import { findMigration } from "@/lib/migration/find-migration";
import { migration } from "@/lib/migration/migration-schema";
import { keptRecord, REASONS } from "@/lib/migration/undo/undo-schema";
import { selectName } from "@/lib/migration/select-name";
import { migrationInput } from "@/lib/migration/migration-key";
import { moveStatus } from "@/lib/migration/status";
import { forgetReading, resetSteps } from "@/lib/migration/undo/undo-steps";
import { defineOperation } from "@/lib/operation";
import { RESOURCES } from "@/lib/records/schema/resources";

export const undoMigration = defineOperation({
  name: "undo_migration",
  summary:
    "Undo a migration: delete the records that it created and restore those that it changed. What people have edited " +
    "or attached records to since is kept and listed.",
  scopes: ["crm:write"],
  adminsOnly: true,
  status: 202,
  input: migrationInput,
  output: migration,
  async run(context, { migration_id }) {
    const { organizationId, userId } = context;
    await findMigration(organizationId, migration_id);
    return changeMigration(context, migration_id, async (client, key) => {
      const changes = { failure: null, undo_started_at: new Date(), undo_finished_at: null };
      await moveStatus(client, key, "undoing", changes, { by: userId });
      await auditMigration(client, key, "migration.undone", context);
      await resetSteps(client, key);
      await forgetReading(client, key);
      const { rows } = await client.query<{ undo_number: number }>(
        `UPDATE migrations SET undo_number = undo_number + 1, delta_every_minutes = NULL, delta_next_at = NULL
         WHERE organization_id = $1 AND id = $2 RETURNING undo_number`,
        [organizationId, migration_id],
      );
      await enqueueUndo(client, { ...key, undoNumber: rows[0]?.undo_number ?? 0 });
    });
  },
});

export const listKeptRecords = defineOperation({
  name: "list_migration_undo_kept",
  summary: "List the records that undoing a migration left as they are, each with its reason; the latest first.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    migration_id: pathId("migration"),
    resource: z.enum(RESOURCES).optional().describe("Records of this resource only."),
    code: keptRecord.shape.code.optional().describe("Records that were kept for this reason only."),
  }),
  output: pageOutput(keptRecord),
  async run(context, { migration_id, limit, cursor, resource, code }) {
    await findMigration(context.organizationId, migration_id);
    const { rows } = await pool().query<Omit<z.infer<typeof keptRecord>, "reason">>(
      `SELECT id, resource, record_id, ext_id, ${selectName("k")} AS name, code,
         CASE WHEN by_id IS NOT NULL THEN json_build_object('resource', by_resource, 'id', by_id) END AS kept_by
       FROM migration_undo_kept k
       WHERE organization_id = $1 AND migration_id = $2 AND id < $3
         AND ($4::text IS NULL OR resource = $4) AND ($5::text IS NULL OR code = $5)
       ORDER BY id DESC LIMIT $6`,
      [context.organizationId, migration_id, cursor ?? MAX_UUID, resource ?? null, code ?? null, limit + 1],
    );
    const page = cutPage(rows, limit, ({ id }) => id);
    return { ...page, data: page.data.map((row) => ({ ...row, reason: REASONS[row.code] })) };
  },
});
