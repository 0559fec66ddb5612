import { z } from "zod";

import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { checkConfiguration } from "@/lib/migration/check-configuration";
import { recordConfigured } from "@/lib/migration/record-configured";
import { configuration } from "@/lib/migration/schemas";
import { findStored, reportIn } from "@/lib/migration/stored";
import { defineOperation } from "@/lib/operation";

/** Statuses in which the choices are fixed, and why. */
const FIXED: Record<string, string> = {
  analyzing: "The migration is still being analyzed",
  analysis_failed: "The migration could not be analyzed",
  running: "The migration is running",
  paused: "The migration is paused in the middle of a run",
  undoing: "The migration is being undone",
  undone: "The migration has been undone",
};

export const putConfiguration = defineOperation({
  name: "put_migration_configuration",
  summary: "Replace the choices for a migration: which objects are migrated, where their fields go, what their picklist values become.",
  scopes: ["crm:write"],
  stores: true,
  input: z.strictObject({ migration_id: pathId("migration"), ...configuration.shape }),
  output: configuration,
  async run(context, { migration_id: id, ...given }) {
    const stored = await findStored(context.organizationId, id);
    const fixed = FIXED[stored.status];
    const report = reportIn(stored);
    if (fixed || !report) throw new AppError("illegal_state", `${fixed} (status \`${stored.status}\`), so it cannot be configured now.`);
    checkConfiguration(given, report);
    const saved = await transaction(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE migrations SET configuration = $3, updated_at = now() WHERE organization_id = $1 AND id = $2 AND status::text <> ALL($4)`,
        [context.organizationId, id, given, Object.keys(FIXED)],
      );
      if (rowCount === 1) await recordConfigured(client, context, id, { before: stored.configuration, after: given });
      return rowCount === 1;
    });
    if (!saved) throw new AppError("illegal_state", "The migration has just been started, so it cannot be configured now.");
    return given;
  },
});
