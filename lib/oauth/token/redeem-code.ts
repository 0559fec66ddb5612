import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { OAuthParameters } from "@/lib/oauth/parameters";
import { knownResource, resourceIdentifier } from "@/lib/oauth/protected-resources";
import { authenticateClient } from "@/lib/oauth/token/authenticate-client";
import { assertClientRequest, assertGrantType, type TokenRequest } from "@/lib/oauth/token/token-request";
import { recordAudit } from "@/lib/security/audit";
import { digestsEqual, randomSecret, sha256 } from "@/lib/security/crypto";
import { countAttempt, type Throttle } from "@/lib/security/throttle";

/** Answers a request to the token endpoint (RFC 6749 §3.2 and §4.1.3). Throws an OAuthError. */
export async function exchangeCode(request: TokenRequest): Promise<IssuedToken> {
  assertClientRequest(request);
  const clientId = await authenticateClient(request);
  assertGrantType(request);
  return redeemCode({ clientId, parameters: request.body, address: request.address });
}

/** What an authenticated client presents at the token endpoint. */
interface Redemption {
  code: AuthorizationCode;
  /** The client's row id. */
  clientId: string;
  parameters: OAuthParameters;
}

/** One rule for the redemption of an authorization code. Throws an OAuthError. */
type CodeCheck = (redemption: Redemption) => void;

/** A code is bound to the client that it was issued to (RFC 6749 §4.1.3). */
const assertSameClient: CodeCheck = ({ code, clientId }) => {
  if (code.client_id !== clientId) throw new OAuthError("invalid_grant", "The code was issued to another client.");
};

/** The redirect URI must be that of the authorization request; we always require it (RFC 6749 §4.1.3). */
const assertSameRedirectUri: CodeCheck = ({ code, parameters }) => {
  const redirectUri = parameters.get("redirect_uri");
  if (!redirectUri)
    throw new OAuthError("invalid_request", "redirect_uri is missing; send the one of the authorization request.");
  if (redirectUri !== code.redirect_uri)
    throw new OAuthError("invalid_grant", "redirect_uri is not the one of the authorization request.");
};

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** The verifier hashes to the challenge of the authorization request (RFC 7636 §4.6). */
const assertVerifier: CodeCheck = ({ code, parameters }) => {
  const verifier = parameters.get("code_verifier");
  if (!verifier) throw new OAuthError("invalid_request", "code_verifier is missing.");
  const digest = sha256(verifier).toString("base64url");
  if (!VERIFIER.test(verifier) || !digestsEqual(Buffer.from(digest), Buffer.from(code.code_challenge))) {
    throw new OAuthError(
      "invalid_grant",
      "code_verifier does not match the code_challenge of the authorization request.",
    );
  }
};

/** RFC 6749 §4.1.2. */
const assertNotExpired: CodeCheck = ({ code }) => {
  if (code.is_expired) throw new OAuthError("invalid_grant", "The code has expired; codes live for a minute.");
};

/** The user who allowed it is still an enabled member. */
const assertUserActive: CodeCheck = ({ code }) => {
  if (!code.is_user_active) throw new OAuthError("invalid_grant", "The user who allowed this has no access any more.");
};

/** A redirect URI that an admin has removed may be in the wrong hands, and so may a code that was sent there. */
const assertRedirectRegistered: CodeCheck = ({ code }) => {
  if (!code.is_redirect_registered)
    throw new OAuthError("invalid_grant", "The redirect URI of the code is no longer registered for the client.");
};

/**
 * A `resource` sent with the code must lie within those that were granted (RFC 8707 §2.2). The whole service contains
 * its parts.
 */
const assertResourceGranted: CodeCheck = ({ code, parameters }) => {
  const isGranted = (resource: string) => {
    const known = knownResource(resource);
    return (
      known !== null &&
      (code.resource.length === 0 || code.resource.includes(known) || code.resource.includes(resourceIdentifier("")))
    );
  };
  if (!parameters.getAll("resource").every(isGranted))
    throw new OAuthError("invalid_target", "resource is not among those that were granted.");
};

/** The code belongs to whoever presents it. Only after these checks does a second use show that the code was stolen. */
const POSSESSION_CHECKS: readonly CodeCheck[] = [assertSameClient, assertSameRedirectUri, assertVerifier];

/** The code is still valid for what is requested. */
const VALIDITY_CHECKS: readonly CodeCheck[] = [
  assertNotExpired,
  assertUserActive,
  assertRedirectRegistered,
  assertResourceGranted,
];

interface Presented {
  /** The row id of the client, which is authenticated. */
  clientId: string;
  parameters: OAuthParameters;
  /** The network address of the request. */
  address: string;
}

/**
 * Exchanges an authorization code for an access token, once (RFC 6749 §4.1.3). A second use that is otherwise right
 * revokes what the first had issued (§4.1.2). One with a wrong secret or verifier changes nothing, since anybody could
 * send it.
 */
async function redeemCode({ clientId, parameters, address }: Presented): Promise<IssuedToken> {
  const presented = parameters.get("code");
  if (!presented) throw new OAuthError("invalid_request", "code is missing.");
  const code = await findCode(presented);
  if (!code) throw new OAuthError("invalid_grant", "The code is unknown.");

  const redemption = { code, clientId, parameters };
  for (const check of POSSESSION_CHECKS) check(redemption);
  if (code.is_used) throw await replayed(code, address);
  for (const check of VALIDITY_CHECKS) check(redemption);

  const requested = parameters.getAll("resource").flatMap((resource) => knownResource(resource) ?? []);
  const token = await issueToken(code, {
    resource: requested.length > 0 ? [...new Set(requested)] : code.resource,
    address,
  });
  if (!token) throw await spentMeanwhile(presented, address);
  return token;
}

/** The code was spent, or its grant revoked, between reading and spending it. */
async function spentMeanwhile(presented: string, address: string): Promise<OAuthError> {
  const code = await findCode(presented);
  return code?.is_used
    ? replayed(code, address)
    : new OAuthError("invalid_grant", "The code has expired, or the access that it was issued for has been revoked.");
}

async function replayed(code: AuthorizationCode, address: string): Promise<OAuthError> {
  await revokeTokensOfCode(code, address);
  return new OAuthError("invalid_grant", "The code was used before. The token that it had issued is revoked.");
}

/** An authorization code as stored, with what is true of it at this moment. */
interface AuthorizationCode {
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

async function findCode(code: string): Promise<AuthorizationCode | undefined> {
  const { rows } = await acrossOrganizations(() => pool().query<AuthorizationCode>(FIND_CODE, [sha256(code)]));
  return rows[0];
}

const TOKEN_SECONDS = 3600;

/** A successful answer of the token endpoint (RFC 6749 §5.1). */
interface IssuedToken {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
}

/** One statement spends the code and writes the token: neither happens without the other, and a code is spent once. */
const SPEND_CODE = `
  WITH spent AS (
    UPDATE oauth_codes SET used_at = now() WHERE id = $1 AND used_at IS NULL AND expires_at > now()
    RETURNING id, client_id, user_id, organization_id, scopes
  )
  INSERT INTO oauth_tokens
    (id, token_hash, code_id, client_id, user_id, organization_id, scopes, resource, created_at, expires_at)
  SELECT $2, $3, id, client_id, user_id, organization_id, scopes, $4, now(), now() + $5 * interval '1 second'
  FROM spent`;

interface TokenTerms {
  resource: readonly string[];
  /** The network address of the request. */
  address: string;
}

/**
 * Spends a checked code for an opaque access token, of which only a digest is stored. Null if the code was spent in the
 * meantime.
 */
function issueToken(code: AuthorizationCode, { resource, address }: TokenTerms): Promise<IssuedToken | null> {
  return transaction(async (client) => {
    const access_token = `crm_token_${randomSecret()}`;
    const values = [code.id, newId(), sha256(access_token), resource, TOKEN_SECONDS];
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(SPEND_CODE, values));
    if (rowCount === 0) return null;
    const { organization_id: organizationId, user_id: userId, client_id: clientId, scopes } = code;
    await recordAudit(client, { organizationId, userId, address }, "token.issued", {
      clientId,
      details: { scopes, resource },
    });
    return { access_token, token_type: "Bearer", expires_in: TOKEN_SECONDS, scope: scopes.join(" ") };
  });
}

/**
 * At most so many replays per code are recorded once there is nothing left to revoke: somebody who has the code could
 * fill the audit log with them.
 */
const AUDIT_THROTTLE: Throttle = { name: "code-replay", limit: 3, windowSeconds: 15 * 60 };

const REVOKE_TOKENS =
  "UPDATE oauth_tokens SET revoked_at = now() WHERE code_id = $1 AND revoked_at IS NULL AND expires_at > now()";

/** Revokes the tokens that a code had issued, when a second use shows that two parties know it (RFC 6749 §4.1.2). */
async function revokeTokensOfCode(code: AuthorizationCode, address: string): Promise<void> {
  const isThrottled = (await countAttempt(AUDIT_THROTTLE, code.id)) > 0;
  await transaction(async (client) => {
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(REVOKE_TOKENS, [code.id]));
    if (rowCount === 0 && isThrottled) return;
    const { organization_id: organizationId, user_id: userId, client_id: clientId } = code;
    await recordAudit(client, { organizationId, userId, address }, "code.replayed", {
      clientId,
      details: { tokens_stopped: rowCount },
    });
  });
}
