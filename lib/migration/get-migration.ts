import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { findMigration } from "@/lib/migration/migration-view";
import { migration } from "@/lib/migration/schemas";
import { defineOperation } from "@/lib/operation";

export const getMigration = defineOperation({
  name: "get_migration",
  summary: "Get one migration: its status, and the progress of every object. Poll it while it is analyzing or running.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: migration,
  run: (context, { migration_id }) => findMigration(context.organizationId, migration_id),
});
