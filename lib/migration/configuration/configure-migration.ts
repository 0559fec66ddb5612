import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, retriedTransaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { idOrNull } from "@/lib/ids";
import { canonicalJson } from "@/lib/input/bounded-json";
import { pathId } from "@/lib/input/ids-and-times";
import { auditMigration } from "@/lib/migration/audit-migration";
import { assertConfiguration } from "@/lib/migration/configuration/assert-configuration";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { mappingTags, tagOfConfiguration } from "@/lib/migration/configuration/configuration-tags";
import { givenConfiguration } from "@/lib/migration/configuration/given-configuration";
import { LOCKED_BECAUSE } from "@/lib/migration/configuration/locked-statuses";
import { findMigrationContents, parseReport, parseConfiguration } from "@/lib/migration/migration-contents";
import type { MigrationStatus } from "@/lib/migration/migration-schema";
import { isImported } from "@/lib/migration/objects/imported-objects";
import { IMPORT_ORDER } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";
import { migrationInput, migrationNotFound } from "@/lib/migration/migration-key";
import { defineOperation, JsonText } from "@/lib/operation";
import { assertTag } from "@/lib/preconditions";

export const putConfiguration = defineOperation({
  name: "put_migration_configuration",
  summary:
    "Replace the choices for a migration: which objects are migrated, where their fields go, what their picklist " +
    "values become.",
  scopes: ["crm:write"],
  stores: true,
  conditional: true,
  tagged: true,
  input: z.strictObject({ migration_id: pathId("migration"), ...givenConfiguration.shape }),
  output: givenConfiguration,
  async run(context, { migration_id: id, ...choices }) {
    const report = await requireConfigurable(context, id);
    await assertConfiguration(context.organizationId, choices, report);
    await saveConfiguration(context, id, choices);
    return tagged(choices);
  },
});

/** Stored choices as answers have them: without those for objects that this service does not import any more. */
export function givenChoices(stored: Configuration): Configuration {
  const given = Object.entries(stored.objects).filter(([object]) => isImported(object));
  return { ...stored, objects: Object.fromEntries(given) };
}

/** The report of a migration that can be configured now. Throws `illegal_state` and `not_found`. */
export async function requireConfigurable({ organizationId }: Context, id: string): Promise<Report> {
  const stored = await findMigrationContents(organizationId, id);
  const report = parseReport(stored);
  if (report && !LOCKED_BECAUSE[stored.status]) return report;
  throw notConfigurable(stored.status);
}

function notConfigurable(status: MigrationStatus): AppError {
  const because = LOCKED_BECAUSE[status] ?? "The migration has no report";
  return new AppError("illegal_state", `${because} (status \`${status}\`), so it cannot be configured now.`);
}

/**
 * Stores choices that have been checked. Throws `illegal_state` when a run has started meanwhile, and
 * `precondition_failed` when the request rules out what is stored now.
 */
export async function saveConfiguration(context: Context, id: string, after: Configuration): Promise<void> {
  await retriedTransaction(async (client) => {
    const before = await lockConfiguration(client, context, id);
    assertTag(context.preconditions, tagOfConfiguration(before));
    await storeConfiguration(client, context, id, { before, after });
  });
}

/**
 * Locks a migration that can be configured now, and returns the choices that are stored. Throws `illegal_state` and
 * `not_found`.
 */
export async function lockConfiguration(client: PoolClient, context: Context, id: string): Promise<Configuration> {
  const { rows } = await client.query<{ status: MigrationStatus; configuration: unknown }>(
    `SELECT status, configuration FROM migrations WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [context.organizationId, idOrNull(id)],
  );
  if (!rows[0]) throw migrationNotFound();
  if (LOCKED_BECAUSE[rows[0].status]) throw notConfigurable(rows[0].status);
  return parseConfiguration(rows[0].configuration);
}

/** Replaces the choices of a migration that {@link lockConfiguration} has locked. */
export async function storeConfiguration(
  client: PoolClient,
  context: Context,
  id: string,
  { before, after }: { before: Configuration; after: Configuration },
): Promise<void> {
  await prisma().migrations.update({
    where: { organization_id_id: { organization_id: context.organizationId, id } },
    data: { configuration: after, mapping_tags: mappingTags(after), updated_at: new Date() },
  });
  await auditConfiguration(client, context, id, { before, after });
}

export const getConfiguration = defineOperation({
  name: "get_migration_configuration",
  summary: "Get the choices that were made for a migration. What is absent follows the report's suggestions.",
  scopes: ["crm:read"],
  tagged: true,
  input: migrationInput,
  output: givenConfiguration,
  run: async (context, input) =>
    tagged((await findMigrationContents(context.organizationId, input.migration_id)).configuration),
});

/** The tag is that of all that is stored: a save compares it with that. */
function tagged(stored: Configuration): JsonText {
  return new JsonText(JSON.stringify(givenChoices(stored)), { tag: tagOfConfiguration(stored) });
}

const PARTS = Object.keys(configurationSchema.shape) as (keyof Configuration)[];

/**
 * Records a change of choices in the audit log: the parts and objects concerned, and, if they changed, whether events
 * are sent and which side wins where records were edited here. Records nothing if nothing changed.
 */
export async function auditConfiguration(
  client: PoolClient,
  context: Context,
  migrationId: string,
  { before, after }: { before: Configuration; after: Configuration },
): Promise<void> {
  const objects = IMPORT_ORDER.filter(
    (name) => canonicalJson(before.objects[name] ?? UNCHOSEN) !== canonicalJson(after.objects[name] ?? UNCHOSEN),
  );
  const parts = PARTS.filter((part) =>
    part === "objects" ? objects.length > 0 : canonicalJson(before[part]) !== canonicalJson(after[part]),
  );
  if (parts.length === 0) return;
  const key = { organizationId: context.organizationId, migrationId };
  await auditMigration(client, key, "migration.configured", context, {
    parts,
    objects,
    ...(parts.includes("send_events") && { send_events: after.send_events }),
    ...(parts.includes("repeat") && { repeat: after.repeat }),
  });
}

/** An object without choices equals one with the defaults. */
const UNCHOSEN = { selected: true, fields: {}, values: {} };
