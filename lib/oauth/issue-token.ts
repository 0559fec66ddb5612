import { recordAudit } from "@/lib/audit";
import { randomSecret, sha256 } from "@/lib/crypto";
import { transaction } from "@/lib/db";
import { newId } from "@/lib/ids";
import type { StoredCode } from "@/lib/oauth/find-code";
import { inOrganization } from "@/lib/organization-scope";

const TOKEN_SECONDS = 3600;

/** A successful answer of the token endpoint (RFC 6749 §5.1). */
export interface IssuedToken {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
}

/** One statement spends the code and writes the token, so neither happens without the other and a code is spent once. */
const SPEND_CODE = `
  WITH spent AS (
    UPDATE oauth_codes SET used_at = now() WHERE id = $1 AND used_at IS NULL AND expires_at > now()
    RETURNING id, client_id, user_id, organization_id, scopes
  )
  INSERT INTO oauth_tokens (id, token_hash, code_id, client_id, user_id, organization_id, scopes, resource, created_at, expires_at)
  SELECT $2, $3, id, client_id, user_id, organization_id, scopes, $4, now(), now() + $5 * interval '1 second' FROM spent`;

export interface TokenTerms {
  resource: readonly string[];
  /** The network address that asks. */
  address: string;
}

/** Spends a checked code for an opaque access token, of which only a digest is kept. Null when the code has been spent in the meantime. */
export function issueToken(code: StoredCode, { resource, address }: TokenTerms): Promise<IssuedToken | null> {
  return transaction(async (client) => {
    const access_token = `crm_token_${randomSecret()}`;
    const values = [code.id, newId(), sha256(access_token), resource, TOKEN_SECONDS];
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(SPEND_CODE, values));
    if (rowCount === 0) return null;
    const { organization_id: organizationId, user_id: userId, client_id: clientId, scopes } = code;
    await recordAudit(client, { organizationId, action: "token.issued", address, userId, clientId, details: { scopes, resource } });
    return { access_token, token_type: "Bearer", expires_in: TOKEN_SECONDS, scope: scopes.join(" ") };
  });
}
