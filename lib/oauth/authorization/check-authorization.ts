import type { Scope } from "@/lib/context";
import {
  grantableScopes,
  resolveClient,
  resolveRedirectUri,
  returnableState,
  UnsafeRedirect,
  AUTHORIZATION_CHECKS,
} from "@/lib/oauth/authorization/authorization-checks";
import { errorLocation } from "@/lib/oauth/authorization/authorization-response";
import type { Client } from "@/lib/oauth/authorization/find-client";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { OAuthParameters } from "@/lib/oauth/parameters";
import { knownResource } from "@/lib/oauth/protected-resources";

/** What a client asks a person to allow. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  /** What it gets, which may be less than it has asked for. */
  scopes: Scope[];
  state: string | undefined;
  codeChallenge: string;
  /** Identifiers of our resources; empty means all of them. */
  resource: string[];
}

type AuthorizationCheckResult =
  | { outcome: "accepted"; client: Client; request: AuthorizationRequest }
  /** Shown to the person on a page; no redirect. */
  | { outcome: "page"; refusal: UnsafeRedirect }
  /** Sent to the client: `location` is its redirect URI with the error. */
  | { outcome: "redirect"; client: Client; location: string };

/** Checks an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2, RFC 9207). */
export async function checkAuthorization(parameters: OAuthParameters): Promise<AuthorizationCheckResult> {
  try {
    const client = await resolveClient(parameters);
    const redirectUri = resolveRedirectUri(parameters, client);
    return checkTrusted(parameters, client, redirectUri);
  } catch (error) {
    if (error instanceof UnsafeRedirect) return { outcome: "page", refusal: error };
    throw error;
  }
}

function checkTrusted(parameters: OAuthParameters, client: Client, redirectUri: string): AuthorizationCheckResult {
  const state = returnableState(parameters);
  try {
    for (const check of AUTHORIZATION_CHECKS) check(parameters, client);
  } catch (error) {
    if (error instanceof OAuthError)
      return { outcome: "redirect", client, location: errorLocation({ redirectUri, state }, error) };
    throw error;
  }
  const request = {
    client,
    redirectUri,
    scopes: grantableScopes(parameters, client) ?? [],
    state,
    codeChallenge: parameters.get("code_challenge") ?? "",
    resource: [...new Set(parameters.getAll("resource").flatMap((resource) => knownResource(resource) ?? []))],
  };
  return { outcome: "accepted", client, request };
}
