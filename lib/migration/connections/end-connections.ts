import type { Pool, PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { openToken } from "@/lib/migration/connections/stored-connection";
import { canBeSameOrg } from "@/lib/salesforce/instance-url";
import { revokeToken } from "@/lib/salesforce/oauth";

/** The tokens of a connection that were just deleted here. */
export interface EndedConnection {
  id: string;
  instanceUrl: string;
  orgName: string | null;
  username: string | null;
  /** Where tokens are revoked: where they were given, or the org itself for an access token that somebody brought. */
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

const END = `
  WITH ending AS (
    SELECT id, ext_instance_url, source_org_name, source_username, login_url, access_token_enc, refresh_token_enc FROM connections
    WHERE organization_id = $1 AND id = ANY ($2) AND access_token_enc IS NOT NULL ORDER BY id FOR UPDATE
  )
  UPDATE connections c SET access_token_enc = NULL, refresh_token_enc = NULL, updated_at = now()
  FROM ending WHERE c.organization_id = $1 AND c.id = ending.id RETURNING ending.*`;

/**
 * Deletes the tokens of connections, and gives what they were, to be revoked once that stands. Connections and their
 * migrations stay.
 */
export async function endConnections(
  db: Pool | PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<EndedConnection[]> {
  const { rows } = await db.query<Row>(END, [organizationId, ids]);
  return rows.map((row) => {
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
  });
}

/** A token that cannot be decrypted any more cannot be revoked, and is deleted all the same. */
function nullIfUnreadable(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * The organization's other connections that lead to the same org as the same Salesforce user. What a host merely says
 * of itself is not believed.
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

const UNREADABLE = "The stored access could not be read any more, so Salesforce could not be asked to revoke it.";

/**
 * Revokes access at Salesforce: a refresh token, which takes its access tokens with it, or else the access token. Gives
 * the first sentence of why not.
 */
export async function revokeAccess(ended: readonly EndedConnection[]): Promise<string | null> {
  // The same token may have been brought twice; the second time Salesforce would not know it.
  const tokens = new Map(
    ended.map(({ revokedAt, refreshToken, accessToken }) => [refreshToken ?? accessToken, revokedAt]),
  );
  const faults = await Promise.all(
    [...tokens].map(async ([token, revokedAt]) => (token === null ? UNREADABLE : tryToRevoke(revokedAt, token))),
  );
  return faults.find((fault) => fault !== null) ?? null;
}

/**
 * Revokes what nobody needs any more, which is no reason to end anything else: refresh tokens, which belong to this
 * service alone. An access token that somebody brought may be at work elsewhere, or may be the very one that was
 * brought again; it ends by itself.
 */
export async function revokeRefreshTokens(ended: readonly EndedConnection[]): Promise<void> {
  const given = ended.flatMap(({ revokedAt, refreshToken }) =>
    refreshToken === null ? [] : [{ revokedAt, refreshToken }],
  );
  await Promise.all(given.map(({ revokedAt, refreshToken }) => tryToRevoke(revokedAt, refreshToken)));
}

async function tryToRevoke(loginUrl: string, token: string): Promise<string | null> {
  try {
    await revokeToken(loginUrl, token);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ err: error }, "could not revoke a token at Salesforce");
    return error.message;
  }
}
