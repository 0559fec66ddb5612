import { Client } from "pg";

import { newId } from "@/lib/ids";

/** Puts a migration back into its analysis, which no worker will end. */
export async function keepAnalyzing(organizationId: string, migrationId: string): Promise<void> {
  await change("UPDATE migrations SET status = 'analyzing' WHERE organization_id = $1 AND id = $2", [
    organizationId,
    migrationId,
  ]);
}

/** Makes the connection of a migration that of another Salesforce user, as when somebody else signs in to renew it. */
export async function connectAsAnother(organizationId: string, migrationId: string): Promise<void> {
  await change(
    `UPDATE connections SET source_user_id = '005000000000001AAA', source_username = 'somebody.else@acme.example'
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2)`,
    [organizationId, migrationId],
  );
}

/**
 * Makes the connection of a migration one of a sign-in at the org, and gives its id. Its refresh token works nowhere.
 */
export async function connectBySignIn(organizationId: string, migrationId: string): Promise<string> {
  const rows = await change(
    `UPDATE connections SET login_url = ext_instance_url, refresh_token_enc = access_token_enc
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2) RETURNING id`,
    [organizationId, migrationId],
  );
  return String(rows[0]?.id);
}

/**
 * Makes another connection like that of a migration, to an org of its own, and gives its id. Its token can be read by
 * nobody: it is bound to the first.
 */
export async function copyConnection(organizationId: string, migrationId: string): Promise<string> {
  const rows = await change(
    `INSERT INTO connections SELECT (jsonb_populate_record(c, jsonb_build_object('id', $3::text, 'source_org_id', NULL))).* FROM connections c
     WHERE organization_id = $1 AND id = (SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2) RETURNING id`,
    [organizationId, migrationId, newId()],
  );
  return String(rows[0]?.id);
}

async function change(sql: string, values: string[]): Promise<{ id?: string }[]> {
  const client = new Client({ connectionString: process.env.DATABASE_OWNER_URL });
  await client.connect();
  try {
    const { rows, rowCount } = await client.query<{ id?: string }>(sql, values);
    if (rowCount !== 1) throw new Error(`Of the migration, ${String(rowCount)} rows were changed.`);
    return rows;
  } finally {
    await client.end();
  }
}
