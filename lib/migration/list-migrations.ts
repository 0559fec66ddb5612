import { z } from "zod";

import { cutPage } from "@/lib/migration/cut-page";
import { findMigrations } from "@/lib/migration/migration-view";
import { migration } from "@/lib/migration/schemas";
import { defineOperation } from "@/lib/operation";
import { pageInput, pageOutput } from "@/lib/page";

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
