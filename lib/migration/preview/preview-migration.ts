import { z } from "zod";

import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { assertConfiguration } from "@/lib/migration/configuration/assert-configuration";
import { givenConfiguration, givenObject } from "@/lib/migration/configuration/given-configuration";
import { selectedObjects } from "@/lib/migration/configuration/selected-objects";
import { askOrg } from "@/lib/migration/connections/ask-org";
import { findMigrationContents, requireReport } from "@/lib/migration/migration-contents";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { MAX_PREVIEWED, preview } from "@/lib/migration/preview/preview-schema";
import { defineOperation } from "@/lib/operation";
import { noSalesforceId, SALESFORCE_ID, to18 } from "@/lib/salesforce/ids";
import { previewRecords } from "@/lib/migration/preview/preview-records";

const sourceId = z.string().regex(SALESFORCE_ID, { error: ({ input }) => noSalesforceId(String(input)) });

const previewInput = z.strictObject({
  migration_id: pathId("migration"),
  object: givenObject,
  count: z.int().min(1).max(MAX_PREVIEWED).default(5).describe("How many records to sample across the object."),
  ext_ids: z
    .array(sourceId)
    .min(1)
    .max(MAX_PREVIEWED)
    .optional()
    .describe("The source ids of the records to preview, in place of a sample."),
  configuration: givenConfiguration.optional().describe("Choices to try. Absent: those that are stored."),
});

export const previewMigration = defineOperation({
  name: "preview_migration",
  summary:
    "Show what a run would make of some records: they are read, mapped and stored together with their parents as a " +
    "run does it, in a transaction that is rolled back. Nothing of it remains.",
  scopes: ["crm:write"],
  volatile: true,
  input: previewInput,
  output: preview,
  async run({ organizationId }, { migration_id: migrationId, object, configuration: given, count, ext_ids: extIds }) {
    const stored = await findMigrationContents(organizationId, migrationId);
    const report = requireReport(stored);
    if (given) await assertConfiguration(organizationId, given, report, "/configuration");
    const configuration = given ?? stored.configuration;
    const selected = selectedObjects(report, configuration);
    const entry = selected.get(object);
    if (!entry) throw notSelected(object);
    const wanted = { object, count, extIds: extIds && [...new Set(extIds.map(to18))] };
    const { answer, because } = await askOrg(organizationId, migrationId, (client, signal) =>
      previewRecords({ client, signal, configuration, selected, entry }, { organizationId, migrationId }, wanted),
    );
    return answer ?? { ...nothingOf(object), not_previewed_because: because };
  },
});

function notSelected(object: SourceObjectName): AppError {
  const detail =
    `${object} is not selected, or the Salesforce user may not read it, so a run would import none of its records. ` +
    "Select it in the configuration.";
  return new AppError("illegal_state", detail);
}

function nothingOf(object: SourceObjectName) {
  return { object, data: [], parents: [], not_found: [], fields_left_out: [], notes: [], api_requests: 0 };
}
