import { setTimeout } from "node:timers/promises";

import type { PoolClient } from "pg";

import { transaction } from "@/lib/database/db";
import { tryToRevoke } from "@/lib/migration/connections/end-connections";
import { salesforceApp } from "@/lib/migration/connections/salesforce-app";
import { type ConnectionKey, openToken, sealToken } from "@/lib/migration/connections/stored-connection";
import { isTransient, orgDisconnected } from "@/lib/migration/failure";
import type { Access } from "@/lib/salesforce/client";
import { canBeSameOrg } from "@/lib/salesforce/instance-url";
import { refreshTokens, type Tokens } from "@/lib/salesforce/oauth";
import { isTokenRefused } from "@/lib/salesforce/refusals";

/** $1: the connection. A lock of its row would give the transaction a number, for whose end the events feed waits. */
const LOCK_RENEWAL = "SELECT pg_advisory_xact_lock(hashtextextended('renew ' || $1, 0))";

/** New tokens, and the host that issued them. */
interface Issued {
  loginUrl: string;
  tokens: Tokens;
}

/**
 * Exchanges the refresh token for a new access token, and takes over the address that Salesforce gives with it, unless
 * that cannot be the same org. Null without a refresh token. One of several processes renews, and the others use its
 * token: with rotation enabled, a refresh token works once. Nothing is written before Salesforce has answered.
 */
export async function renewAccess(key: ConnectionKey, refused: string): Promise<Access | null> {
  let issued = null as Issued | null;
  try {
    return await transaction(async (client) => {
      await client.query(LOCK_RENEWAL, [key.connectionId]);
      const stored = await readStored(client, key);
      const { login_url: loginUrl, refresh_token_enc: sealed } = stored;
      const renewed = renewedAccess(key, stored, refused);
      if (renewed || !loginUrl || !sealed) return renewed;
      try {
        // Without settings for Salesforce nothing can be renewed, whatever is stored.
        const app = salesforceApp();
        const refreshToken = openToken(key, "refresh_token_enc", sealed);
        issued = { loginUrl, tokens: await refreshTokens(loginUrl, app, refreshToken) };
      } catch (error) {
        if (!isTokenRefused(error)) throw error;
        // Releases before this one lock the row while they renew: then this waits for the token that they have got.
        const meanwhile = renewedAccess(key, await readStored(client, key, "FOR KEY SHARE"), refused);
        if (!meanwhile) throw error;
        return meanwhile;
      }
      return await storeTokens(client, key, refused, issued.tokens);
    });
  } catch (error) {
    if (!issued) throw error;
    return storeAgain(key, refused, issued, error);
  }
}

interface StoredAccess {
  ext_instance_url: string;
  login_url: string | null;
  access_token_enc: Buffer | null;
  refresh_token_enc: Buffer | null;
}

async function readStored(client: PoolClient, key: ConnectionKey, lock = ""): Promise<StoredAccess> {
  const { rows } = await client.query<StoredAccess>(
    `SELECT ext_instance_url, login_url, access_token_enc, refresh_token_enc FROM connections
     WHERE organization_id = $1 AND id = $2 ${lock}`,
    [key.organizationId, key.connectionId],
  );
  if (!rows[0]) throw orgDisconnected();
  return rows[0];
}

/** The stored access, unless it is the refused one. */
function renewedAccess(key: ConnectionKey, stored: StoredAccess, refused: string): Access | null {
  const accessToken = openToken(key, "access_token_enc", stored.access_token_enc);
  return accessToken === refused ? null : { instanceUrl: stored.ext_instance_url, accessToken };
}

const STORE = `
  UPDATE connections SET ext_instance_url = $3, access_token_enc = $4, refresh_token_enc = $5, updated_at = now()
  WHERE organization_id = $1 AND id = $2`;

/** Stores tokens, unless another access than the refused one is stored: an earlier attempt may have succeeded. */
async function storeTokens(client: PoolClient, key: ConnectionKey, refused: string, tokens: Tokens): Promise<Access> {
  const stored = await readStored(client, key, "FOR NO KEY UPDATE");
  const renewed = renewedAccess(key, stored, refused);
  if (renewed) return renewed;
  const named = new URL(tokens.instance_url).origin;
  const instanceUrl = canBeSameOrg(stored.ext_instance_url, named) ? named : stored.ext_instance_url;
  const { access_token: access, refresh_token: refresh } = tokens;
  await client.query(STORE, [
    key.organizationId,
    key.connectionId,
    instanceUrl,
    sealToken(key, "access_token_enc", access),
    refresh ? sealToken(key, "refresh_token_enc", refresh) : stored.refresh_token_enc,
  ]);
  return { instanceUrl, accessToken: access };
}

/** The connection was idle while Salesforce was asked, so it may have broken. A restart of PostgreSQL takes seconds. */
const STORE_AGAIN_MS = [0, 1000, 2000, 4000, 8000];

/**
 * Stores tokens where that has failed for a moment: the former refresh token may work no longer. Revokes tokens that
 * cannot be stored, as those of an org that was disconnected meanwhile, because nobody else knows them. Not where the
 * database stays away: it may have stored them without being able to say so.
 */
async function storeAgain(key: ConnectionKey, refused: string, issued: Issued, failure: unknown): Promise<Access> {
  const { loginUrl, tokens } = issued;
  let error = failure;
  for (const pause of STORE_AGAIN_MS) {
    if (!isTransient(error)) break;
    await setTimeout(pause);
    try {
      return await transaction((client) => storeTokens(client, key, refused, tokens));
    } catch (again) {
      error = again;
    }
  }
  if (!isTransient(error)) await tryToRevoke(loginUrl, tokens.refresh_token ?? tokens.access_token);
  throw error;
}
