import { z } from "zod";

import { findMigrations } from "@/lib/migration/migration-view";
import { migration } from "@/lib/migration/schemas";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

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
