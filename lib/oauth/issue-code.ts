import type { PoolClient } from "pg";

import { randomSecret, sha256 } from "@/lib/crypto";
import { newId } from "@/lib/ids";

/** What a person allows a client at this moment. */
export interface Permission {
  client_id: string;
  organization_id: string;
  user_id: string;
  redirect_uri: string;
  scopes: string[];
  code_challenge: string;
  resource: string[];
}

/** Long enough for a redirect and one request (RFC 6749 §4.1.2 allows ten minutes). */
const CODE_SECONDS = 60;

/** A spent code must be known as long as tokens issued for it can live, so that its replay revokes them. */
const CLEAR_CODES = "DELETE FROM oauth_codes WHERE expires_at < now() - interval '1 day'";

/** The grant lists all that live tokens may do; a code carries just what was allowed with it. */
const KEEP_GRANT = `
  INSERT INTO oauth_grants AS g (id, organization_id, user_id, client_id, scopes, created_at, last_allowed_at)
  VALUES ($1, $2, $3, $4, $5, now(), now())
  ON CONFLICT (client_id, user_id) DO UPDATE
    SET scopes = ARRAY(SELECT DISTINCT unnest(g.scopes || excluded.scopes) ORDER BY 1), last_allowed_at = now()
  RETURNING id`;

const INSERT_CODE = `
  INSERT INTO oauth_codes
    (id, code_hash, grant_id, client_id, user_id, organization_id, redirect_uri, scopes, code_challenge, resource, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), now() + $11 * interval '1 second')`;

/** Issues a code for what was allowed, in the caller's transaction, and returns it. Only its digest is kept. */
export async function issueCode(client: PoolClient, permission: Permission): Promise<string> {
  const { client_id, user_id, organization_id, redirect_uri, scopes, code_challenge, resource } = permission;
  const code = randomSecret();
  await client.query(CLEAR_CODES);
  const { rows } = await client.query<{ id: string }>(KEEP_GRANT, [newId(), organization_id, user_id, client_id, scopes]);
  const owned = [rows[0]?.id, client_id, user_id, organization_id];
  await client.query(INSERT_CODE, [newId(), sha256(code), ...owned, redirect_uri, scopes, code_challenge, resource, CODE_SECONDS]);
  return code;
}
