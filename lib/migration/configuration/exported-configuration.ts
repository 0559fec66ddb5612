import { z } from "zod";

import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { idInput, pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { configurationFaults } from "@/lib/migration/configuration/assert-configuration";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import {
  givenChoices,
  requireConfigurable,
  saveConfiguration,
} from "@/lib/migration/configuration/configure-migration";
import { type ChoiceFault, checkedChoices, importedChoices } from "@/lib/migration/configuration/exported-schema";
import { givenConfiguration } from "@/lib/migration/configuration/given-configuration";
import { phaseWarnings } from "@/lib/migration/configuration/phases";
import { splitFaults, withoutChoices } from "@/lib/migration/configuration/void-choices";
import { findMigrationContents, requireReport } from "@/lib/migration/migration-contents";
import { readMembers } from "@/lib/migration/owners/members";
import type { Report } from "@/lib/migration/report/report-schema";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";

const FORMAT = "crm-migration-configuration" as const;

/** Changes with the meaning of what is exported. An import refuses versions that it does not know. */
const VERSION = 1 as const;

const exported = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exported_at: timestampOutput,
  org: z
    .object({ id: z.string().nullable(), name: z.string().nullable(), ext_instance_url: z.string() })
    .describe("The Salesforce org that the choices were made for."),
  members: z
    .record(z.string(), z.object({ name: z.string(), email: z.string() }))
    .describe("The members whose ids the choices name, for whoever reads the file."),
  configuration: givenConfiguration,
});

export const exportConfiguration = defineOperation({
  name: "export_migration_configuration",
  summary: "Export the choices for a migration as a JSON file, with the org and the names of the members they name.",
  scopes: ["crm:read"],
  volatile: true,
  input: migrationInput,
  output: exported,
  async run({ organizationId }, { migration_id: id }) {
    const stored = await findMigrationContents(organizationId, id);
    const { org }: { org?: Partial<Report["org"]> } = requireReport(stored);
    const { byId } = await readMembers(pool(), organizationId);
    const { members = {}, fallback = null } = stored.configuration.owners ?? {};
    const named = [...Object.values(members), fallback].flatMap(
      (member) => byId.get(member?.toLowerCase() ?? "") ?? [],
    );
    return {
      format: FORMAT,
      version: VERSION,
      exported_at: new Date().toISOString(),
      org: { id: org?.id ?? null, name: org?.name ?? null, ext_instance_url: org?.ext_instance_url ?? "" },
      members: Object.fromEntries(named.map(({ user_id, name, email }) => [user_id, { name, email }])),
      configuration: givenChoices(stored.configuration),
    };
  },
});

export const importConfiguration = defineOperation({
  name: "import_migration_configuration",
  summary:
    "Replace the choices for a migration by exported ones. All of them are checked before any is stored. Choices " +
    "that name what is no longer there are refused, or left out if you say so.",
  scopes: ["crm:write"],
  stores: true,
  conditional: true,
  input: z.strictObject({
    migration_id: pathId("migration"),
    ...exported.pick({ format: true, version: true }).shape,
    // Also of objects that this service does not import: those choices are void, and can be left out.
    configuration: configurationSchema,
    ...exported.pick({ org: true, members: true }).partial().shape,
    exported_at: z.iso.datetime({ offset: true }).optional(),
    leave_out_void: z
      .boolean()
      .default(false)
      .describe("Whether choices that name fields, values, objects or members that are no longer there are left out."),
  }),
  output: importedChoices.extend({ configuration: givenConfiguration }),
  async run(context, { migration_id: id, configuration: given, leave_out_void: leavesOut, org }) {
    const report = await requireConfigurable(context, id);
    const check = (choices: Configuration) =>
      configurationFaults(context.organizationId, choices, report, "/configuration");
    const faults = await check(given);
    const { gone } = splitFaults(faults);
    const pointers = gone.map(({ pointer }) => pointer.replace(/^\/configuration/, ""));
    const after = leavesOut ? withoutChoices(given, pointers) : given;
    const refused = leavesOut ? await check(after) : faults;
    if (refused.length > 0)
      throw new AppError("invalid_request", "Some of the choices are not possible; see `errors`.", { errors: refused });
    await saveConfiguration(context, id, after);
    return { configuration: after, left_out: leavesOut ? gone : [], warnings: orgWarnings(org, report) };
  },
});

/** Whether the choices were made for another org than that of the report, as far as both are known. */
function orgWarnings(from: z.output<typeof exported>["org"] | undefined, report: Report): ChoiceFault[] {
  const { org }: { org?: Partial<Report["org"]> } = report;
  if (!from?.id || !org?.id || from.id === org.id) return [];
  const detail =
    `The choices were made for the org ${from.name ?? from.id} (${from.id}), and this migration reads ` +
    `${org.name ?? org.id} (${org.id}). They are stored; see whether its fields and values mean the same.`;
  return [{ pointer: "/org/id", code: "other_org", detail }];
}

export const checkConfiguration = defineOperation({
  name: "check_migration_configuration",
  summary:
    "Check the stored choices of a migration against its report, or against that of a later analysis, and say which " +
    "became void because the org changed.",
  scopes: ["crm:read"],
  volatile: true,
  input: z.strictObject({
    migration_id: pathId("migration"),
    report_of: idInput("`report_of` must be the id of a migration: a UUID of version 7.")
      .optional()
      .describe("The migration whose report the choices are compared with; by default this one."),
  }),
  output: checkedChoices,
  async run({ organizationId }, { migration_id: id, report_of: other = id }) {
    const stored = await findMigrationContents(organizationId, id);
    const own = requireReport(stored);
    const report = other === id ? own : requireReport(await findMigrationContents(organizationId, other));
    const { gone, impossible } = splitFaults(await configurationFaults(organizationId, stored.configuration, report));
    const [before, now] = [own, report].map(({ org }: { org?: Partial<Report["org"]> }) => org?.id ?? null);
    return {
      report_of: other,
      generated_at: report.generated_at,
      same_org: before && now ? before === now : null,
      void: gone,
      impossible,
      warnings: phaseWarnings(report, stored.configuration),
    };
  },
});
