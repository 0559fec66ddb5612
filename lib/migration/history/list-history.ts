import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { findMigration } from "@/lib/migration/find-migration";
import { historyEntry, type HistoryEntry } from "@/lib/migration/history/history-schema";
import { defineOperation } from "@/lib/operation";

export const listHistory = defineOperation({
  name: "list_migration_history",
  summary:
    "List what happened to a migration: runs, pauses with their reasons, finished objects, replaced workers, deltas, " +
    "retries and undos; the latest first.",
  scopes: ["crm:read"],
  input: z.strictObject({ ...pageInput, migration_id: pathId("migration") }),
  output: pageOutput(historyEntry),
  async run({ organizationId }, { migration_id, limit, cursor }) {
    await findMigration(organizationId, migration_id);
    const { rows } = await pool().query<HistoryEntry>(
      `SELECT h.id, ${isoText("h.created_at")} AS created_at, h.event, h.run_number, h.run_kind, h.object, h.user_id,
         (SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.organization_id = $1 AND m.user_id = h.user_id) AS user_name,
         h.details ->> 'reason' AS reason, h.details ->> 'remedy' AS remedy, h.details -> 'counts' AS counts,
         (h.details ->> 'every_minutes')::int AS every_minutes
       FROM migration_history h
       WHERE h.organization_id = $1 AND h.migration_id = $2 AND h.id < $3
       ORDER BY h.id DESC LIMIT $4`,
      [organizationId, migration_id, cursor ?? MAX_UUID, limit + 1],
    );
    return cutPage(rows, limit, ({ id }) => id);
  },
});
