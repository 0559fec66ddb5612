import { z } from "zod";

import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { findMigration, findMigrations, findMigrationContents } from "@/lib/migration/find-migration";
import { migration } from "@/lib/migration/migration-schema";
import { report } from "@/lib/migration/report/report-schema";
import { defineOperation, JsonText } from "@/lib/operation";

export const getMigration = defineOperation({
  name: "get_migration",
  summary: "Get one migration: its status, and the progress of every object. Poll it while it is analyzing or running.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: migration,
  run: (context, { migration_id }) => findMigration(context.organizationId, migration_id),
});

export const listMigrations = defineOperation({
  name: "list_migrations",
  summary: "List migrations, newest first.",
  scopes: ["crm:read"],
  input: z.strictObject(pageInput),
  output: pageOutput(migration),
  async run(context, { limit, cursor }) {
    const found = await findMigrations(context.organizationId, cursor, limit + 1);
    return cutPage(found, limit, ({ migration_id }) => migration_id);
  },
});

export const getReport = defineOperation({
  name: "get_migration_report",
  summary:
    "Get the report of a migration's analysis: inventory, field mapping, automations, risks, readiness and estimate.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: report,
  async run(context, { migration_id }) {
    const stored = await findMigrationContents(context.organizationId, migration_id);
    if (stored.status === "analyzing") {
      throw new AppError(
        "illegal_state",
        "The migration is still being analyzed (status `analyzing`). Its report is available once it is `ready`.",
      );
    }
    if (stored.status === "analysis_failed" || !stored.report) {
      throw new AppError(
        "illegal_state",
        `There is no report: the analysis failed (status \`${stored.status}\`). Analyze the Salesforce org again.`,
      );
    }
    return new JsonText(stored.report);
  },
});
