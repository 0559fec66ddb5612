import { decrypt, encrypt } from "@/lib/crypto";
import { pool, prisma, transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId, newId } from "@/lib/ids";
import { salesforceApp } from "@/lib/migration/salesforce-app";
import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { tokenRefused } from "@/lib/salesforce/errors";
import { refreshTokens } from "@/lib/salesforce/oauth";
import type { OrgIdentity } from "@/lib/salesforce/probe";

/** Separates the keys of stored Salesforce tokens from those of other secrets. */
const PURPOSE = "connection";

/** How long to try; jobs have more time than somebody who waits. */
type Patience = Pick<ClientOptions, "retry" | "timeoutMs">;

interface Secrets {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Where the refresh token is exchanged; null when there is none. */
  loginUrl: string | null;
}

/** The row of a new connection: what the org said of itself, and the tokens, encrypted. */
export function connectionRow(owner: { organizationId: string; userId: string }, org: OrgIdentity, secrets: Secrets) {
  const now = new Date();
  return {
    id: newId(),
    organization_id: owner.organizationId,
    created_by_id: owner.userId,
    created_at: now,
    updated_at: now,
    instance_url: org.instanceUrl,
    api_version: org.apiVersion,
    source_org_id: org.orgId,
    source_org_name: org.orgName,
    source_user_id: org.userId,
    source_username: org.username,
    login_url: secrets.loginUrl,
    access_token_enc: encrypt(PURPOSE, secrets.accessToken),
    refresh_token_enc: secrets.refreshToken ? encrypt(PURPOSE, secrets.refreshToken) : null,
  };
}

/** Opens the source of a connection. An access token that is refused is renewed, if the connection can. Throws `not_found`. */
export async function openConnection(organizationId: string, connectionId: string, patience: Patience = {}): Promise<SalesforceClient> {
  const connection = isId(connectionId)
    ? await prisma().connections.findFirst({ where: { id: connectionId, organization_id: organizationId } })
    : null;
  if (!connection) throw new AppError("not_found", "There is no connection with this id.");
  return openClient({
    ...patience,
    instanceUrl: connection.instance_url,
    accessToken: decrypt(PURPOSE, connection.access_token_enc),
    apiVersion: connection.api_version ?? "67.0",
    onUnauthorized: (refused) => renew(organizationId, connectionId, refused),
  });
}

/**
 * Exchanges the refresh token for a new access token. The row stays locked meanwhile, so that of several processes one renews and the
 * others take its token: with rotation switched on, a refresh token works once.
 */
async function renew(organizationId: string, connectionId: string, refused: string): Promise<string> {
  return transaction(async (client) => {
    const found = await client.query<{ login_url: string | null; access_token_enc: Buffer; refresh_token_enc: Buffer | null }>(
      `SELECT login_url, access_token_enc, refresh_token_enc FROM connections WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      [organizationId, connectionId],
    );
    const stored = found.rows[0];
    if (!stored) throw new AppError("not_found", "There is no connection with this id.");
    const current = decrypt(PURPOSE, stored.access_token_enc);
    if (current !== refused) return current;
    if (!stored.login_url || !stored.refresh_token_enc) throw tokenRefused({ status: 401, errorCode: "INVALID_SESSION_ID" });
    const tokens = await refreshTokens(stored.login_url, salesforceApp(), decrypt(PURPOSE, stored.refresh_token_enc));
    const rotated = tokens.refresh_token ? encrypt(PURPOSE, tokens.refresh_token) : stored.refresh_token_enc;
    await client.query(
      `UPDATE connections SET access_token_enc = $3, refresh_token_enc = $4, updated_at = now() WHERE organization_id = $1 AND id = $2`,
      [organizationId, connectionId, encrypt(PURPOSE, tokens.access_token), rotated],
    );
    return tokens.access_token;
  });
}

/** Opens the source of a migration. Throws `not_found`. */
export async function openMigrationSource(organizationId: string, migrationId: string): Promise<SalesforceClient> {
  const found = await pool().query<{ connection_id: string }>(`SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    migrationId,
  ]);
  const [migration] = found.rows;
  if (!migration) throw new AppError("not_found", "There is no migration with this id.");
  return openConnection(organizationId, migration.connection_id);
}
