import type { PoolClient } from "pg";

import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { randomSecret, sha256 } from "@/lib/security/crypto";

/** What a person has just allowed a client. */
export interface Consent {
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

/** A grant lists the scopes of all its live tokens and codes, and those allowed now. */
const UPSERT_GRANT = `
  INSERT INTO oauth_grants AS g (id, organization_id, user_id, client_id, scopes, created_at, last_allowed_at)
  VALUES ($1, $2, $3, $4, $5, now(), now())
  ON CONFLICT (client_id, user_id) DO UPDATE
    SET last_allowed_at = now(), scopes = ARRAY(
      SELECT unnest(excluded.scopes) UNION
      SELECT unnest(c.scopes) FROM oauth_codes c LEFT JOIN oauth_tokens t ON t.code_id = c.id
      WHERE c.grant_id = g.id
        AND (c.used_at IS NULL AND c.expires_at > now() OR t.revoked_at IS NULL AND t.expires_at > now())
      ORDER BY 1)
  RETURNING id`;

const INSERT_CODE = `
  INSERT INTO oauth_codes
    (id, code_hash, grant_id, client_id, user_id, organization_id,
      redirect_uri, scopes, code_challenge, resource, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), now() + $11 * interval '1 second')`;

/** A spent code is kept for longer than its tokens can live, so that a replay revokes them. */
const DELETE_EXPIRED = `
  DELETE FROM oauth_codes WHERE ctid IN (
    SELECT ctid FROM oauth_codes WHERE expires_at < now() - interval '1 day' LIMIT ${DELETE_BATCH_SIZE})`;

/** Deletes codes that cannot be replayed any more, and with them the tokens that they had issued. Returns how many. */
export function purgeCodes(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(DELETE_EXPIRED));
}

/** Issues a code for a consent, in the caller's transaction, and returns it. Only its digest is stored. */
export async function issueCode(client: PoolClient, consent: Consent): Promise<string> {
  const { client_id, user_id, organization_id, redirect_uri, scopes, code_challenge, resource } = consent;
  const code = randomSecret();
  const { rows } = await client.query<{ id: string }>(UPSERT_GRANT, [
    newId(),
    organization_id,
    user_id,
    client_id,
    scopes,
  ]);
  const owner = [rows[0]?.id, client_id, user_id, organization_id];
  await client.query(INSERT_CODE, [
    newId(),
    sha256(code),
    ...owner,
    redirect_uri,
    scopes,
    code_challenge,
    resource,
    CODE_SECONDS,
  ]);
  return code;
}
