import { z } from "zod";

import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { report } from "@/lib/migration/schemas";
import { findStored } from "@/lib/migration/stored";
import { defineOperation, JsonText } from "@/lib/operation";

export const getReport = defineOperation({
  name: "get_migration_report",
  summary: "Get the report of a migration's analysis: inventory, field mapping, automations, risks, readiness and estimate.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: report,
  async run(context, { migration_id }) {
    const stored = await findStored(context.organizationId, migration_id);
    if (stored.status === "analyzing") {
      throw new AppError("illegal_state", "The migration is still being analyzed (status `analyzing`). Its report is there once it is `ready`.");
    }
    if (stored.status === "analysis_failed" || !stored.report) {
      throw new AppError("illegal_state", `There is no report: the analysis failed (status \`${stored.status}\`). Analyze the Salesforce org again.`);
    }
    return new JsonText(stored.report);
  },
});
