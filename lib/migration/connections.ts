import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { decrypt, encrypt, Undecryptable } from "@/lib/crypto";
import { pool, prisma, transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId, newId } from "@/lib/ids";
import { disconnected } from "@/lib/migration/failure";
import { salesforceApp } from "@/lib/migration/salesforce-app";
import { inOrganization } from "@/lib/organization-scope";
import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError, tokenRefused } from "@/lib/salesforce/errors";
import { refreshTokens } from "@/lib/salesforce/oauth";
import type { OrgIdentity } from "@/lib/salesforce/probe";

interface ConnectionKey {
  organizationId: string;
  connectionId: string;
}

/** The columns that hold tokens. */
type TokenColumn = "access_token_enc" | "refresh_token_enc";

function sealToken({ organizationId, connectionId }: ConnectionKey, column: TokenColumn, token: string): Uint8Array<ArrayBuffer> {
  return encrypt([`connections.${column}`, organizationId, connectionId], token);
}

const UNREADABLE =
  "The stored access to this Salesforce org cannot be read any more, since the secret of this service was changed. Connect the org again, or have " +
  "whoever runs this service put back its earlier APP_SECRET.";

/** A stored token. Throws `source_token_refused` when the org was disconnected, or the secret under which the token is encrypted is not set any more. */
export function openToken({ organizationId, connectionId }: ConnectionKey, column: TokenColumn, sealed: Uint8Array | null): string {
  if (sealed === null) throw disconnected();
  try {
    return decrypt([`connections.${column}`, organizationId, connectionId], sealed);
  } catch (error) {
    if (!(error instanceof Undecryptable)) throw error;
    throw new SalesforceError("source_token_refused", UNREADABLE, { cause: error });
  }
}

/** How long to try; jobs have more time than somebody who waits. */
type Patience = Pick<ClientOptions, "retry" | "timeoutMs" | "deadline">;

interface Secrets {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Where the refresh token is exchanged; null when there is none. */
  loginUrl: string | null;
}

/** The row of a new connection: what the org said of itself, and the tokens, encrypted. */
export function connectionRow(owner: { organizationId: string; userId: string }, org: OrgIdentity, secrets: Secrets) {
  const now = new Date();
  const id = newId();
  const key = { organizationId: owner.organizationId, connectionId: id };
  return {
    id,
    organization_id: owner.organizationId,
    created_by_id: owner.userId,
    created_at: now,
    updated_at: now,
    ext_instance_url: org.instanceUrl,
    api_version: org.apiVersion,
    source_org_id: org.orgId,
    source_org_name: org.orgName,
    source_user_id: org.userId,
    source_username: org.username,
    login_url: secrets.loginUrl,
    access_token_enc: sealToken(key, "access_token_enc", secrets.accessToken),
    refresh_token_enc: secrets.refreshToken ? sealToken(key, "refresh_token_enc", secrets.refreshToken) : null,
  };
}

/** Stores a new connection, and tells the audit log of it. */
export async function storeConnection(client: PoolClient, context: Audited, row: ReturnType<typeof connectionRow>): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await client.query(`INSERT INTO connections (${columns.join(", ")}) VALUES (${places.join(", ")})`, Object.values(row));
  const { organizationId, userId, clientId, address } = context;
  const org = { id: row.id, instanceUrl: row.ext_instance_url, orgName: row.source_org_name, username: row.source_username };
  const details = { ...orgInAudit(org), connected_with: row.login_url === null ? "access_token" : "salesforce_sign_in" };
  await recordAudit(client, { organizationId, action: "org.connected", address, userId, clientId, details });
}

type Audited = Pick<Context, "organizationId" | "userId" | "clientId" | "address">;

/** What the audit log says of a connection. */
export function orgInAudit(org: { id: string; instanceUrl: string; orgName: string | null; username: string | null }) {
  return { connection_id: org.id, host: new URL(org.instanceUrl).host, org_name: org.orgName, username: org.username };
}

/** Opens the source of a connection. An access token that is refused is renewed, if the connection can. Throws `not_found`. */
export async function openConnection(organizationId: string, connectionId: string, patience: Patience = {}): Promise<SalesforceClient> {
  const connection = isId(connectionId)
    ? await prisma().connections.findFirst({ where: { id: connectionId, organization_id: organizationId } })
    : null;
  if (!connection) throw new AppError("not_found", "There is no connection with this id.");
  return openClient({
    ...patience,
    instanceUrl: connection.ext_instance_url,
    accessToken: openToken({ organizationId, connectionId: connection.id }, "access_token_enc", connection.access_token_enc),
    apiVersion: connection.api_version ?? "67.0",
    // Whoever asks the source later, and in whichever scope.
    onUnauthorized: (refused) => inOrganization(organizationId, () => renew(organizationId, connectionId, refused)),
  });
}

/**
 * Exchanges the refresh token for a new access token. The row stays locked meanwhile, so that of several processes one renews and the
 * others take its token: with rotation switched on, a refresh token works once.
 */
async function renew(organizationId: string, connectionId: string, refused: string): Promise<string> {
  const key = { organizationId, connectionId };
  return transaction(async (client) => {
    const found = await client.query<{ login_url: string | null; access_token_enc: Buffer | null; refresh_token_enc: Buffer | null }>(
      `SELECT login_url, access_token_enc, refresh_token_enc FROM connections WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      [organizationId, connectionId],
    );
    const stored = found.rows[0];
    if (!stored) throw new AppError("not_found", "There is no connection with this id.");
    const current = openToken(key, "access_token_enc", stored.access_token_enc);
    if (current !== refused) return current;
    if (!stored.login_url || !stored.refresh_token_enc) throw tokenRefused({ status: 401, errorCode: "INVALID_SESSION_ID" });
    const tokens = await refreshTokens(stored.login_url, salesforceApp(), openToken(key, "refresh_token_enc", stored.refresh_token_enc));
    const rotated = tokens.refresh_token ? sealToken(key, "refresh_token_enc", tokens.refresh_token) : stored.refresh_token_enc;
    await client.query(
      `UPDATE connections SET access_token_enc = $3, refresh_token_enc = $4, updated_at = now() WHERE organization_id = $1 AND id = $2`,
      [organizationId, connectionId, sealToken(key, "access_token_enc", tokens.access_token), rotated],
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
