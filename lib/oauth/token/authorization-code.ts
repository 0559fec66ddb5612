import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { recordAudit } from "@/lib/security/audit";
import { sha256, randomSecret } from "@/lib/security/crypto";
import { countAttempt, type Throttle } from "@/lib/security/throttle";

/** An authorization code as it is kept, with what is true of it at this moment. */
export interface AuthorizationCode {
  id: string;
  client_id: string;
  user_id: string;
  organization_id: string;
  redirect_uri: string;
  scopes: string[];
  code_challenge: string;
  resource: string[];
  is_used: boolean;
  is_expired: boolean;
  /** Whether the user who allowed it is still an active member of the organization. */
  is_user_active: boolean;
  /** Whether its redirect URI is still one of the client's. */
  is_redirect_registered: boolean;
}

const FIND_CODE = `
  SELECT c.id, c.client_id, c.user_id, c.organization_id, c.redirect_uri, c.scopes, c.code_challenge, c.resource,
    c.used_at IS NOT NULL AS is_used, c.expires_at <= now() AS is_expired, m.user_id IS NOT NULL AS is_user_active,
    c.redirect_uri = ANY (oc.redirect_uris) AS is_redirect_registered
  FROM oauth_codes c
  JOIN oauth_clients oc ON oc.id = c.client_id
  LEFT JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = c.organization_id AND m.disabled_at IS NULL
  WHERE c.code_hash = $1`;

export async function findCode(code: string): Promise<AuthorizationCode | undefined> {
  const { rows } = await acrossOrganizations(() => pool().query<AuthorizationCode>(FIND_CODE, [sha256(code)]));
  return rows[0];
}

const TOKEN_SECONDS = 3600;

/** A successful answer of the token endpoint (RFC 6749 §5.1). */
export interface IssuedToken {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
}

/**
 * One statement spends the code and writes the token, so neither happens without the other and a code is spent once.
 */
const SPEND_CODE = `
  WITH spent AS (
    UPDATE oauth_codes SET used_at = now() WHERE id = $1 AND used_at IS NULL AND expires_at > now()
    RETURNING id, client_id, user_id, organization_id, scopes
  )
  INSERT INTO oauth_tokens (id, token_hash, code_id, client_id, user_id, organization_id, scopes, resource, created_at, expires_at)
  SELECT $2, $3, id, client_id, user_id, organization_id, scopes, $4, now(), now() + $5 * interval '1 second' FROM spent`;

interface TokenTerms {
  resource: readonly string[];
  /** The network address that asks. */
  address: string;
}

/**
 * Spends a checked code for an opaque access token, of which only a digest is kept. Null when the code has been spent
 * in the meantime.
 */
export function issueToken(code: AuthorizationCode, { resource, address }: TokenTerms): Promise<IssuedToken | null> {
  return transaction(async (client) => {
    const access_token = `crm_token_${randomSecret()}`;
    const values = [code.id, newId(), sha256(access_token), resource, TOKEN_SECONDS];
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(SPEND_CODE, values));
    if (rowCount === 0) return null;
    const { organization_id: organizationId, user_id: userId, client_id: clientId, scopes } = code;
    await recordAudit(client, {
      organizationId,
      action: "token.issued",
      address,
      userId,
      clientId,
      details: { scopes, resource },
    });
    return { access_token, token_type: "Bearer", expires_in: TOKEN_SECONDS, scope: scopes.join(" ") };
  });
}

/** Replays that stop nothing any more are told so often per code: whoever has one could fill the log with it. */
const AUDIT_THROTTLE: Throttle = { name: "code-replay", limit: 3, windowSeconds: 15 * 60 };

const REVOKE_TOKENS =
  "UPDATE oauth_tokens SET revoked_at = now() WHERE code_id = $1 AND revoked_at IS NULL AND expires_at > now()";

/** Ends whatever a code had issued, when the code turns out to be known to two (RFC 6749 §4.1.2). */
export async function revokeTokensOfCode(code: AuthorizationCode, address: string): Promise<void> {
  const isTold = (await countAttempt(AUDIT_THROTTLE, code.id)) > 0;
  await transaction(async (client) => {
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(REVOKE_TOKENS, [code.id]));
    if (rowCount === 0 && isTold) return;
    const { organization_id: organizationId, user_id: userId, client_id: clientId } = code;
    await recordAudit(client, {
      organizationId,
      action: "code.replayed",
      address,
      userId,
      clientId,
      details: { tokens_stopped: rowCount },
    });
  });
}
