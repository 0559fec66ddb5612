import { newId } from "@/lib/ids";
import { queryAsOwner } from "@/tests/service/setup/query-as-owner";

/** Sets a migration to analyzing, without a worker that analyzes it. */
export async function keepAnalyzing(organizationId: string, migrationId: string): Promise<void> {
  await change("UPDATE migrations SET status = 'analyzing' WHERE organization_id = $1 AND id = $2", [
    organizationId,
    migrationId,
  ]);
}

/** Sets the status of a migration as if it had run, without a worker that runs it. */
export async function setStatus(organizationId: string, migrationId: string, status: string): Promise<void> {
  await change(
    "UPDATE migrations SET status = $3::migration_status, read_until = now() WHERE organization_id = $1 AND id = $2",
    [organizationId, migrationId, status],
  );
}

/** Makes a migration one whose run has read everything, and failed to import a record. */
export async function failRecord(organizationId: string, migrationId: string): Promise<void> {
  await setStatus(organizationId, migrationId, "completed_with_errors");
  await change(
    `WITH read AS (
       INSERT INTO migration_objects
         (organization_id, migration_id, object, position, status, source, failed, started_at, read_until)
       VALUES ($1, $2, 'Account', 0, 'done', 1, 1, now(), now()) RETURNING organization_id, migration_id, object
     ) INSERT INTO migration_record_issues
         (organization_id, migration_id, object, created_at, id, ext_id, outcome, code, reason)
       SELECT organization_id, migration_id, object, now(), $3, '001Hs00000QrStuIAF', 'failed', 'too_large', 'Long.'
       FROM read`,
    [organizationId, migrationId, newId()],
  );
}

/**
 * Changes the Salesforce user of a migration's connection, as when another user signs in to renew it. Returns what
 * changes it back.
 */
export async function connectAsAnother(organizationId: string, migrationId: string): Promise<() => Promise<void>> {
  await change(
    `UPDATE connections SET source_user_id = '005000000000001AAA', source_username = 'somebody.else@acme.example'
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2)`,
    [organizationId, migrationId],
  );
  return () => restoreConnection(organizationId, migrationId);
}

/** Makes a migration's connection what it was when the org was analyzed: by token, as the user of the report. */
export async function restoreConnection(organizationId: string, migrationId: string): Promise<void> {
  await change(
    `UPDATE connections c SET login_url = NULL, refresh_token_enc = NULL,
       source_user_id = m.report #>> '{analyzed_as,user_id}', source_username = m.report #>> '{analyzed_as,username}'
     FROM migrations m
     WHERE m.organization_id = $1 AND m.id = $2 AND c.organization_id = $1 AND c.id = m.connection_id`,
    [organizationId, migrationId],
  );
}

/** Changes the Salesforce user in a migration's report, as if another user had analyzed the org. */
export async function reportAsAnother(organizationId: string, migrationId: string): Promise<void> {
  await change(
    `UPDATE migrations SET report = jsonb_set(report, '{analyzed_as}', $3::jsonb)
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, migrationId, '{"user_id":"005000000000001AAA","username":"somebody.else@acme.example"}'],
  );
}

/** Makes a migration's connection one by sign-in at the org, with an invalid refresh token. Returns its id. */
export async function connectBySignIn(organizationId: string, migrationId: string): Promise<string> {
  const rows = await change(
    `UPDATE connections SET login_url = ext_instance_url, refresh_token_enc = access_token_enc
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2)
     RETURNING id`,
    [organizationId, migrationId],
  );
  return String(rows[0]?.id);
}

/** Copies a migration that was analyzed, with its report. Returns the id of the copy, which has the same connection. */
export async function copyMigration(organizationId: string, migrationId: string): Promise<string> {
  const rows = await change(
    `INSERT INTO migrations SELECT (jsonb_populate_record(m, jsonb_build_object('id', $3::text))).*
     FROM migrations m WHERE organization_id = $1 AND id = $2 RETURNING id`,
    [organizationId, migrationId, newId()],
  );
  return String(rows[0]?.id);
}

/**
 * Copies a migration's connection, to another org, and returns the id of the copy. Its token cannot be decrypted,
 * because it is bound to the original.
 */
export async function copyConnection(organizationId: string, migrationId: string): Promise<string> {
  const rows = await change(
    `INSERT INTO connections
     SELECT (jsonb_populate_record(c, jsonb_build_object('id', $3::text, 'source_org_id', NULL))).*
     FROM connections c
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2)
     RETURNING id`,
    [organizationId, migrationId, newId()],
  );
  return String(rows[0]?.id);
}

/** Gives an organization as many connections with access as it can have. Returns what deletes them again. */
export async function fillConnections(organizationId: string): Promise<() => Promise<unknown>> {
  const { rows } = await queryAsOwner<{ id: string }>(
    `INSERT INTO connections
       (organization_id, id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'https://full.my.salesforce.com', '', gen_random_uuid(), now(), now()
     FROM generate_series(1, 500) RETURNING id`,
    [organizationId],
  );
  const values = [organizationId, rows.map(({ id }) => id)];
  return () => queryAsOwner("DELETE FROM connections WHERE organization_id = $1 AND id = ANY ($2)", values);
}

async function change(sql: string, values: string[]): Promise<{ id?: string }[]> {
  const { rows, rowCount } = await queryAsOwner<{ id?: string }>(sql, values);
  if (rowCount !== 1) throw new Error(`${String(rowCount)} rows were changed instead of one.`);
  return rows;
}
