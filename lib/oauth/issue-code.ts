import type { PoolClient } from "pg";

import { randomSecret, sha256 } from "@/lib/crypto";
import { newId } from "@/lib/ids";

/** What a person has allowed a client. */
export interface Grant {
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

const INSERT_CODE = `
  INSERT INTO oauth_codes (id, code_hash, client_id, user_id, organization_id, redirect_uri, scopes, code_challenge, resource, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now() + $10 * interval '1 second')`;

/** Issues a code for what was allowed, in the caller's transaction, and returns it. Only its digest is kept. */
export async function issueCode(client: PoolClient, grant: Grant): Promise<string> {
  const code = randomSecret();
  await client.query(CLEAR_CODES);
  await client.query(INSERT_CODE, [
    newId(),
    sha256(code),
    grant.client_id,
    grant.user_id,
    grant.organization_id,
    grant.redirect_uri,
    grant.scopes,
    grant.code_challenge,
    grant.resource,
    CODE_SECONDS,
  ]);
  return code;
}
