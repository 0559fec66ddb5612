import { transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { authenticateClient } from "@/lib/oauth/token/authenticate-client";
import { assertClientRequest, type TokenRequest } from "@/lib/oauth/token/token-request";
import { recordAudit } from "@/lib/security/audit";
import { sha256 } from "@/lib/security/crypto";

interface FoundToken {
  id: string;
  client_id: string;
  organization_id: string;
  user_id: string;
}

const FIND = "SELECT id, client_id, organization_id, user_id FROM oauth_tokens WHERE token_hash = $1";

/** If two requests revoke at once, only one records it. */
const REVOKE = "UPDATE oauth_tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()";

/**
 * Answers a request to the revocation endpoint (RFC 7009 §2): the token ends with this answer. One that is unknown,
 * expired or revoked already counts as revoked (§2.2). `token_type_hint` is ignored, since there is only one type.
 * Throws an OAuthError, `invalid_grant` if the token was issued to another client (§2.1).
 */
export async function revokeAccessToken(request: TokenRequest): Promise<void> {
  assertClientRequest(request);
  const clientId = await authenticateClient(request);
  const token = request.body.get("token");
  if (!token) throw new OAuthError("invalid_request", "token is missing.");
  await revoke(token, clientId, request.address);
}

function revoke(token: string, clientId: string, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rows } = await acrossOrganizations(() => client.query<FoundToken>(FIND, [sha256(token)]));
    const found = rows[0];
    if (found && found.client_id !== clientId)
      throw new OAuthError("invalid_grant", "The token was issued to another client.");
    if (!found) return;
    const { organization_id: organizationId, user_id: userId } = found;
    const { rowCount } = await inOrganization(organizationId, () => client.query(REVOKE, [found.id]));
    if (rowCount !== 0) await recordAudit(client, { organizationId, userId, address }, "token.revoked", { clientId });
  });
}
