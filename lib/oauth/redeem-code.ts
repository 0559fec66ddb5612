import { checkCodeClient } from "@/lib/oauth/checks/code/check-code-client";
import { checkCodeExpiry } from "@/lib/oauth/checks/code/check-code-expiry";
import { checkCodeRedirectRegistered } from "@/lib/oauth/checks/code/check-code-redirect-registered";
import { checkCodeRedirectUri } from "@/lib/oauth/checks/code/check-code-redirect-uri";
import { checkCodeResource } from "@/lib/oauth/checks/code/check-code-resource";
import { checkCodeUser } from "@/lib/oauth/checks/code/check-code-user";
import { checkCodeVerifier } from "@/lib/oauth/checks/code/check-code-verifier";
import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { findCode, type StoredCode } from "@/lib/oauth/find-code";
import { type IssuedToken, issueToken } from "@/lib/oauth/issue-token";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { Parameters } from "@/lib/oauth/parameters";
import { knownResource } from "@/lib/oauth/protected-resources";
import { revokeTokensOfCode } from "@/lib/oauth/revoke-tokens-of-code";

/** Who presents the code has it rightfully. Only then does a second use tell that the code was stolen. */
const POSSESSION_CHECKS: readonly CodeCheck[] = [checkCodeClient, checkCodeRedirectUri, checkCodeVerifier];

/** The code still opens what is asked for. */
const VALIDITY_CHECKS: readonly CodeCheck[] = [checkCodeExpiry, checkCodeUser, checkCodeRedirectRegistered, checkCodeResource];

interface Presented {
  /** The row id of the client, which has proven who it is. */
  clientId: string;
  parameters: Parameters;
  /** The network address that asks. */
  address: string;
}

/**
 * Exchanges an authorization code for an access token, once (RFC 6749 §4.1.3). A second use that is otherwise right revokes what the first
 * had issued (§4.1.2); one with a wrong secret or verifier changes nothing, since anybody could send it.
 */
export async function redeemCode({ clientId, parameters, address }: Presented): Promise<IssuedToken> {
  const presented = parameters.get("code");
  if (!presented) throw new OAuthError("invalid_request", "code is missing.");
  const code = await findCode(presented);
  if (!code) throw new OAuthError("invalid_grant", "The code is unknown.");

  const redemption = { code, clientId, parameters };
  for (const check of POSSESSION_CHECKS) check(redemption);
  if (code.is_used) throw await replayed(code, address);
  for (const check of VALIDITY_CHECKS) check(redemption);

  const asked = parameters.getAll("resource").flatMap((resource) => knownResource(resource) ?? []);
  const token = await issueToken(code, { resource: asked.length > 0 ? [...new Set(asked)] : code.resource, address });
  if (!token) throw await spentMeanwhile(presented, address);
  return token;
}

/** Between the look and the spending somebody used the code, or what it rests on was revoked and took it along. */
async function spentMeanwhile(presented: string, address: string): Promise<OAuthError> {
  const code = await findCode(presented);
  return code?.is_used ? replayed(code, address) : new OAuthError("invalid_grant", "The code has expired, or what it rests on has been revoked.");
}

async function replayed(code: StoredCode, address: string): Promise<OAuthError> {
  await revokeTokensOfCode(code, address);
  return new OAuthError("invalid_grant", "The code was used before. What it had issued is revoked.");
}
