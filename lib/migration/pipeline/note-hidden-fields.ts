import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { isRead } from "@/lib/migration/configuration/mapping-rules";
import { recordHistory } from "@/lib/migration/history/record-history";
import type { SourceField } from "@/lib/migration/objects/declaration";
import { ruleFieldsOf } from "@/lib/migration/objects/rule-fields";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { isEncrypted } from "@/lib/migration/pipeline/read/visible-fields";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { describeObject } from "@/lib/salesforce/describe";

/** $1: the organization, $2: the migration, $3: the object. */
const REPORTED = `SELECT field ->> 'source' AS name, field ->> 'type' AS type
  FROM migrations m CROSS JOIN LATERAL jsonb_path_query(m.report,
    '$.inventory[*] ? (@.object == $name).fields[*]', jsonb_build_object('name', $3::text)) AS field
  WHERE m.organization_id = $1 AND m.id = $2`;

const MAX_NAMED = 10;

/**
 * Tells in the history which fields of an object the report has and a run cannot read: the Salesforce user may no
 * longer see them, or only their masks, or they are no more. Tells it when it is not what was told last.
 */
export async function noteHiddenFields(session: RunSession, { object, select }: Plan): Promise<void> {
  const { run, configuration } = session;
  const { name, ignoredFields } = object;
  const reported = await pool().query<SourceField>(REPORTED, [run.organizationId, run.migrationId, name]);
  const chosen = configuration.objects[name]?.fields ?? {};
  const rules = ruleFieldsOf(object);
  const isWanted = (field: SourceField) => chosen[field.name] !== null || rules.has(field.name);
  const wanted = reported.rows.filter((field) => isRead(field, ignoredFields) && isWanted(field));
  const unread = wanted.filter((field) => !select.includes(field.name));
  if (unread.length === 0) return;
  const masked = await maskedAmong(session, name, unread);
  const hidden = unread.filter((field) => !masked.includes(field));
  const reason = [
    ...(hidden.length > 0 ? [`Salesforce no longer shows ${inWords(hidden)}.`] : []),
    ...(masked.length > 0 ? [`Salesforce does not show the encrypted values of ${inWords(masked)}.`] : []),
    "Records that are here keep what they have there.",
  ].join(" ");
  await transaction(async (client) => {
    if ((await lastTold(client, run, name)) === reason) return;
    const remedy = "If the Salesforce user should see them, give the access and run again.";
    await recordHistory(client, run, { event: "fields_hidden", object: name, details: { reason, remedy } });
  });
}

/** The encrypted fields that the object still has. The others were deleted, or are hidden as any field may be. */
async function maskedAmong(
  { client }: RunSession,
  object: SourceObjectName,
  unread: readonly SourceField[],
): Promise<SourceField[]> {
  const encrypted = unread.filter(isEncrypted);
  if (encrypted.length === 0) return [];
  const { fields } = await describeObject(client, object);
  return encrypted.filter(({ name }) => fields.some((field) => field.name === name));
}

function inWords(fields: readonly SourceField[]): string {
  const named = fields.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = fields.length - named.length;
  return new Intl.ListFormat("en").format(more > 0 ? [...named, `${more} more`] : named);
}

async function lastTold(client: PoolClient, run: RunKey, object: string): Promise<string | undefined> {
  const { rows } = await client.query<{ reason: string }>(
    `SELECT details ->> 'reason' AS reason FROM migration_history
     WHERE organization_id = $1 AND migration_id = $2 AND event = 'fields_hidden' AND object = $3
     ORDER BY id DESC LIMIT 1`,
    [run.organizationId, run.migrationId, object],
  );
  return rows[0]?.reason;
}
