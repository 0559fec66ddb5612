import type { Scope } from "@/lib/context";
import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { checkClient } from "@/lib/oauth/checks/authorization/check-client";
import { checkCodeChallenge } from "@/lib/oauth/checks/authorization/check-code-challenge";
import { checkCodeChallengeMethod } from "@/lib/oauth/checks/authorization/check-code-challenge-method";
import { checkRedirectUri } from "@/lib/oauth/checks/authorization/check-redirect-uri";
import { checkRepeatedParameters } from "@/lib/oauth/checks/authorization/check-repeated-parameters";
import { checkResource } from "@/lib/oauth/checks/authorization/check-resource";
import { checkResponseMode } from "@/lib/oauth/checks/authorization/check-response-mode";
import { checkResponseType } from "@/lib/oauth/checks/authorization/check-response-type";
import { checkScope } from "@/lib/oauth/checks/authorization/check-scope";
import { checkState, returnableState } from "@/lib/oauth/checks/authorization/check-state";
import { errorLocation } from "@/lib/oauth/authorization-response";
import type { Client } from "@/lib/oauth/find-client";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { Parameters } from "@/lib/oauth/parameters";
import { knownResource } from "@/lib/oauth/protected-resources";
import { parseScope } from "@/lib/oauth/scopes";
import { UnsafeRedirect } from "@/lib/oauth/unsafe-redirect";

/** Applied in this order once client and redirect URI are trusted; the first that fails is what the client is told. */
const CHECKS: readonly AuthorizationCheck[] = [
  checkRepeatedParameters,
  checkState,
  checkResponseType,
  checkResponseMode,
  checkCodeChallenge,
  checkCodeChallengeMethod,
  checkScope,
  checkResource,
];

/** What a client asks a person to allow. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  scopes: Scope[];
  state: string | undefined;
  codeChallenge: string;
  /** Identifiers of our resources; empty means all of them. */
  resource: string[];
}

export type AuthorizationCheckResult =
  | { outcome: "accepted"; client: Client; request: AuthorizationRequest }
  /** Tell the person, redirect nowhere. */
  | { outcome: "page"; refusal: UnsafeRedirect }
  /** Tell the client: `location` is its redirect URI with the error. */
  | { outcome: "redirect"; client: Client; location: string };

/** Checks an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2, RFC 9207). */
export async function checkAuthorization(parameters: Parameters): Promise<AuthorizationCheckResult> {
  try {
    const client = await checkClient(parameters);
    const redirectUri = checkRedirectUri(parameters, client);
    return checkTrusted(parameters, client, redirectUri);
  } catch (error) {
    if (error instanceof UnsafeRedirect) return { outcome: "page", refusal: error };
    throw error;
  }
}

function checkTrusted(parameters: Parameters, client: Client, redirectUri: string): AuthorizationCheckResult {
  const state = returnableState(parameters);
  try {
    for (const check of CHECKS) check(parameters, client);
  } catch (error) {
    if (error instanceof OAuthError) return { outcome: "redirect", client, location: errorLocation({ redirectUri, state }, error) };
    throw error;
  }
  const request = {
    client,
    redirectUri,
    scopes: parseScope(parameters.get("scope") ?? client.scopes.join(" ")) ?? [],
    state,
    codeChallenge: parameters.get("code_challenge") ?? "",
    resource: [...new Set(parameters.getAll("resource").flatMap((resource) => knownResource(resource) ?? []))],
  };
  return { outcome: "accepted", client, request };
}
