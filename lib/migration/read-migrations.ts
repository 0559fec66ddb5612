import { z } from "zod";

import type { Context } from "@/lib/context";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { findMigration, findMigrations } from "@/lib/migration/find-migration";
import { findMigrationContents, requireReportJson } from "@/lib/migration/migration-contents";
import { migration } from "@/lib/migration/migration-schema";
import { report } from "@/lib/migration/report/report-schema";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation, JsonText } from "@/lib/operation";

export const getMigration = defineOperation({
  name: "get_migration",
  summary: "Get one migration: its status, and the progress of every object. Poll it while it is analyzing or running.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: migration,
  run: (context, { migration_id }) => findMigration(context.organizationId, migration_id),
});

export const listMigrations = defineOperation({
  name: "list_migrations",
  summary: "List migrations, newest first.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    ext_instance_url: z
      .string()
      .max(255, "`ext_instance_url` may have at most 255 characters.")
      .refine((value) => !value.includes("\0"), "`ext_instance_url` must not contain the character U+0000.")
      .exactOptional()
      .describe("Only migrations of the Salesforce org at this address, as a migration tells it."),
  }),
  output: pageOutput(migration),
  async run(context, { limit, cursor, ext_instance_url: instanceUrl }) {
    const found = await findMigrations(context.organizationId, { cursor, limit: limit + 1, instanceUrl });
    return cutPage(found, limit, ({ migration_id }) => migration_id);
  },
});

export const getReport = defineOperation({
  name: "get_migration_report",
  summary:
    "Get the report of a migration's analysis: inventory, field mapping, automations, risks, readiness and estimate.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: report,
  run: async (context, { migration_id }) => new JsonText(await storedReport(context, migration_id)),
});

export const downloadReport = defineOperation({
  name: "download_migration_report",
  summary: "Download the report of a migration's analysis as a JSON file.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: report,
  async run(context, { migration_id }) {
    const json = await storedReport(context, migration_id);
    // A name of letters, digits and hyphens only: it is written into a header.
    const day = /"generated_at": ?"(\d{4}-\d\d-\d\d)/.exec(json)?.[1];
    const name = ["salesforce-report", day, migration_id].filter(Boolean).join("-");
    return new JsonText(json, { fileName: `${name}.json` });
  },
});

async function storedReport({ organizationId }: Context, migrationId: string): Promise<string> {
  return requireReportJson(await findMigrationContents(organizationId, migrationId));
}
