import { type Client, findClient } from "@/lib/oauth/authorization/find-client";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { type OAuthParameters, assertNotRepeated } from "@/lib/oauth/parameters";
import { knownResource } from "@/lib/oauth/protected-resources";
import { isScopeAllowed, parseScope } from "@/lib/oauth/scopes";

/**
 * A refusal that only the person in the browser is told about, on a page: the request names no address that we may
 * redirect to (RFC 6749 §4.1.2.1).
 */
export class UnsafeRedirect extends Error {
  override readonly name = "UnsafeRedirect";

  /** `forPerson` says it in words of everyday; `forDeveloper` names the parameter at fault. */
  constructor(
    readonly forPerson: string,
    readonly forDeveloper: string,
  ) {
    super(forDeveloper);
  }
}

/** The request names one client that we know (RFC 6749 §4.1.1). Without it there is nowhere to redirect to. */
export async function resolveClient(parameters: OAuthParameters): Promise<Client> {
  if (parameters.isRepeated("client_id"))
    throw new UnsafeRedirect("The link names more than one app.", "client_id is included more than once.");
  const clientId = parameters.get("client_id");
  if (!clientId) throw new UnsafeRedirect("The link does not say which app it comes from.", "client_id is missing.");
  const client = await findClient(clientId);
  if (!client) {
    const forDeveloper = "No API client has this client_id, or it has been revoked.";
    throw new UnsafeRedirect(
      "The app that the link comes from is not known here, or an admin has ended its access.",
      forDeveloper,
    );
  }
  return client;
}

/** The redirect URI is one of the client's, compared character for character (RFC 9700 §4.1.3). */
export function resolveRedirectUri(parameters: OAuthParameters, client: Client): string {
  if (parameters.isRepeated("redirect_uri"))
    throw new UnsafeRedirect(
      "The link names more than one address to go on to.",
      "redirect_uri is included more than once.",
    );
  const uri = parameters.get("redirect_uri");
  if (!uri) throw new UnsafeRedirect("The link does not say where to go on to afterwards.", "redirect_uri is missing.");
  if (!client.redirect_uris.includes(uri)) {
    const forDeveloper =
      "redirect_uri is not one of the client's redirect URIs. It must match one of them character for character.";
    throw new UnsafeRedirect(
      `The link would have sent you on to an address that ${client.name} has not registered.`,
      forDeveloper,
    );
  }
  return uri;
}

/**
 * One rule for an authorization request whose redirect URI is trusted. Throws an OAuthError, which travels back to the
 * client.
 */
type AuthorizationCheck = (parameters: OAuthParameters, client: Client) => void;

const SINGLE_PARAMETERS = [
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
];

/** RFC 6749 §3.1. */
const assertSingleParameters: AuthorizationCheck = (parameters) => assertNotRepeated(parameters, SINGLE_PARAMETERS);

/**
 * A state goes back as it came (RFC 6749 §4.1.2). What is no UTF-8 cannot: it has been replaced by U+FFFD before it
 * reaches us.
 */
const assertState: AuthorizationCheck = (parameters) => {
  if (parameters.get("state")?.includes("\uFFFD")) throw new OAuthError("invalid_request", "state must be UTF-8.");
};

/** The state to return, or undefined when none was sent or what was sent cannot be returned exactly. */
export function returnableState(parameters: OAuthParameters): string | undefined {
  const state = parameters.get("state");
  return parameters.isRepeated("state") || state?.includes("\uFFFD") ? undefined : state;
}

/** Only the authorization code is given out (RFC 6749 §4.1.1). */
const assertResponseType: AuthorizationCheck = (parameters) => {
  const responseType = parameters.get("response_type");
  if (!responseType) throw new OAuthError("invalid_request", "response_type is missing; it must be code.");
  if (responseType !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code.");
};

/**
 * A client that counts on another way to get its answer must not be answered in the query (OAuth 2.0 Multiple Response
 * Types §2.1).
 */
const assertResponseMode: AuthorizationCheck = (parameters) => {
  const mode = parameters.get("response_mode");
  if (mode && mode !== "query") throw new OAuthError("invalid_request", "response_mode must be query or absent.");
};

/** A SHA-256 digest in base64url without padding (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** PKCE is mandatory (RFC 9700 §2.1.1; RFC 7636 §4.4.1). */
const assertCodeChallenge: AuthorizationCheck = (parameters) => {
  const challenge = parameters.get("code_challenge");
  if (!challenge) throw new OAuthError("invalid_request", "code_challenge is missing; PKCE is required.");
  if (!CHALLENGE.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge must be a base64url SHA-256 digest of 43 characters.");
};

/** An absent method would mean `plain` (RFC 7636 §4.3), which protects nothing (RFC 9700 §2.1.1). */
const assertCodeChallengeMethod: AuthorizationCheck = (parameters) => {
  if (parameters.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
};

/**
 * Scopes are known and registered for the client (RFC 6749 §3.3). Absent, they are all that the client was registered
 * with.
 */
const assertScope: AuthorizationCheck = (parameters, client) => {
  const parameter = parameters.get("scope");
  if (!parameter) return;
  const scopes = parseScope(parameter);
  if (!scopes)
    throw new OAuthError(
      "invalid_scope",
      "scope must be made of crm:read, crm:write and erp:read, with single spaces between.",
    );
  const missing = scopes.find((scope) => !isScopeAllowed(client.scopes, scope));
  if (missing) throw new OAuthError("invalid_scope", `The client is not registered for ${missing}.`);
};

/** Every `resource` is one of ours (RFC 8707 §2). */
const assertResource: AuthorizationCheck = (parameters) => {
  if (parameters.getAll("resource").some((resource) => !knownResource(resource))) {
    throw new OAuthError("invalid_target", "resource must be the origin of this service, its /api/v1 or its /api/mcp.");
  }
};

/** Applied in this order once client and redirect URI are trusted; the first that fails is what the client is told. */
export const AUTHORIZATION_CHECKS: readonly AuthorizationCheck[] = [
  assertSingleParameters,
  assertState,
  assertResponseType,
  assertResponseMode,
  assertCodeChallenge,
  assertCodeChallengeMethod,
  assertScope,
  assertResource,
];
