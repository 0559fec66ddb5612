import type { Pool, PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { openToken } from "@/lib/migration/connections/stored-connection";
import { canBeSameOrg } from "@/lib/salesforce/instance-url";
import { revokeToken } from "@/lib/salesforce/oauth";

/** A connection whose tokens were just deleted here, or are about to be. */
export interface EndedConnection {
  id: string;
  instanceUrl: string;
  orgName: string | null;
  username: string | null;
  /**
   * Where the tokens are revoked: at the host that issued them. For an access token that a user entered, at the org.
   */
  revokedAt: string;
  accessToken: string | null;
  refreshToken: string | null;
}

interface Row {
  id: string;
  ext_instance_url: string;
  source_org_name: string | null;
  source_username: string | null;
  login_url: string | null;
  access_token_enc: Buffer;
  refresh_token_enc: Buffer | null;
}

const WITH_TOKENS = `
  SELECT id, ext_instance_url, source_org_name, source_username, login_url, access_token_enc, refresh_token_enc
  FROM connections WHERE organization_id = $1 AND access_token_enc IS NOT NULL`;

const END = `
  WITH ending AS (${WITH_TOKENS} AND id = ANY ($2) ORDER BY id FOR UPDATE)
  UPDATE connections c SET access_token_enc = NULL, refresh_token_enc = NULL, updated_at = now()
  FROM ending WHERE c.organization_id = $1 AND c.id = ending.id RETURNING ending.*`;

/**
 * Deletes the tokens of connections and returns them, so that they can be revoked after the commit. Connections and
 * their migrations stay.
 */
export async function endConnections(
  db: Pool | PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<EndedConnection[]> {
  const { rows } = await db.query<Row>(END, [organizationId, ids]);
  return rows.map((row) => withTokens(organizationId, row));
}

/** The first connections of an organization behind the id `after` that have tokens, at most `limit`, by id. */
export async function connectionsWithTokens(
  organizationId: string,
  after: string,
  limit: number,
): Promise<EndedConnection[]> {
  const text = `${WITH_TOKENS} AND id > $2 ORDER BY id LIMIT $3`;
  const { rows } = await pool().query<Row>(text, [organizationId, after, limit]);
  return rows.map((row) => withTokens(organizationId, row));
}

function withTokens(organizationId: string, row: Row): EndedConnection {
  const key = { organizationId, connectionId: row.id };
  return {
    id: row.id,
    instanceUrl: row.ext_instance_url,
    orgName: row.source_org_name,
    username: row.source_username,
    revokedAt: row.login_url ?? row.ext_instance_url,
    accessToken: nullIfUnreadable(() => openToken(key, "access_token_enc", row.access_token_enc)),
    refreshToken:
      row.refresh_token_enc && nullIfUnreadable(() => openToken(key, "refresh_token_enc", row.refresh_token_enc)),
  };
}

/** A token that can no longer be decrypted cannot be revoked. It is deleted nevertheless. */
function nullIfUnreadable(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * The organization's other connections to the same org as the same Salesforce user. The claim of a host about itself is
 * not enough.
 */
export async function connectionsOfSameSource(
  db: Pool | PoolClient,
  organizationId: string,
  connectionId: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string; ext_instance_url: string; this_url: string }>(
    `SELECT other.id, other.ext_instance_url, this.ext_instance_url AS this_url FROM connections other, connections this
     WHERE other.organization_id = $1 AND this.organization_id = $1 AND this.id = $2
       AND other.id <> this.id AND other.source_org_id = this.source_org_id
       AND coalesce(other.source_user_id = this.source_user_id, other.source_username = this.source_username)`,
    [organizationId, connectionId],
  );
  return rows.filter(({ ext_instance_url, this_url }) => canBeSameOrg(ext_instance_url, this_url)).map(({ id }) => id);
}

const UNREADABLE = "The stored access could no longer be read, so it could not be revoked at Salesforce.";

/**
 * Revokes access at Salesforce: the refresh token, which ends its access tokens too, or else the access token. Returns
 * the first reason why that failed, or null.
 */
export async function revokeAccess(ended: readonly EndedConnection[]): Promise<string | null> {
  // A token may have been entered twice. Salesforce would not know it the second time.
  const tokens = new Map(ended.map((connection) => [tokenOf(connection), connection.revokedAt]));
  const faults = await Promise.all(
    [...tokens].map(async ([token, revokedAt]) =>
      token === null ? UNREADABLE : (await tryToRevoke(revokedAt, token))?.message,
    ),
  );
  return faults.find((fault) => fault !== undefined) ?? null;
}

/** The token that is revoked; null if none can be read. */
export function tokenOf({ refreshToken, accessToken }: Pick<EndedConnection, "refreshToken" | "accessToken">) {
  return refreshToken ?? accessToken;
}

/**
 * Revokes refresh tokens, which only this service uses. An access token that a user entered may be in use elsewhere, or
 * may just have been entered again. It expires by itself.
 */
export async function revokeRefreshTokens(ended: readonly EndedConnection[]): Promise<void> {
  const tokens = ended.flatMap(({ revokedAt, refreshToken }) =>
    refreshToken === null ? [] : [{ revokedAt, refreshToken }],
  );
  await Promise.all(tokens.map(({ revokedAt, refreshToken }) => tryToRevoke(revokedAt, refreshToken)));
}

/** Revokes a token at Salesforce. Returns the error by which that failed, or null. */
export async function tryToRevoke(loginUrl: string, token: string): Promise<AppError | null> {
  try {
    await revokeToken(loginUrl, token);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ err: error }, "could not revoke a token at Salesforce");
    return error;
  }
}
