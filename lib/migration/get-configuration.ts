import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { configuration } from "@/lib/migration/schemas";
import { findStored } from "@/lib/migration/stored";
import { defineOperation } from "@/lib/operation";

export const getConfiguration = defineOperation({
  name: "get_migration_configuration",
  summary: "Get the choices that were made for a migration. What is absent follows the report's suggestions.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: configuration,
  run: async (context, input) => (await findStored(context.organizationId, input.migration_id)).configuration,
});
