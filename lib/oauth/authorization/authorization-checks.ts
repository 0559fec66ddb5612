import type { Scope } from "@/lib/context";
import { hasScope } from "@/lib/operation";
import { type Client, findClient } from "@/lib/oauth/authorization/find-client";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { type OAuthParameters, assertNotRepeated } from "@/lib/oauth/parameters";
import { knownResource } from "@/lib/oauth/protected-resources";
import { parseScope } from "@/lib/oauth/scopes";

/**
 * A refusal that only a page shows to the person: the request names no address to which we may redirect (RFC 6749
 * §4.1.2.1).
 */
export class UnsafeRedirect extends Error {
  override readonly name = "UnsafeRedirect";

  /** `forPerson` explains it in everyday words; `forDeveloper` names the parameter at fault. */
  constructor(
    readonly forPerson: string,
    readonly forDeveloper: string,
  ) {
    super(forDeveloper);
  }
}

/**
 * The client that the request names (RFC 6749 §4.1.1). Throws {@link UnsafeRedirect}: without a client there is nowhere
 * to redirect to.
 */
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

/**
 * The redirect URI of the request. It must be one of the client's, character for character (RFC 9700 §4.1.3). Throws
 * {@link UnsafeRedirect}.
 */
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
      `The link would have sent you on to an address that is not among those of ${client.name}.`,
      forDeveloper,
    );
  }
  return uri;
}

/**
 * One rule for an authorization request whose redirect URI is trusted. Throws an OAuthError, which goes to the client.
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

/** The longest `state`, which is kept while the person decides. */
const MAX_STATE_CHARACTERS = 6000;

/**
 * The client gets its state back unchanged (RFC 6749 §4.1.2). That is impossible for bytes that are not UTF-8: they
 * have become U+FFFD before they reach us.
 */
const assertState: AuthorizationCheck = (parameters) => {
  const state = parameters.get("state") ?? "";
  if (state.includes("\uFFFD")) throw new OAuthError("invalid_request", "state must be UTF-8.");
  if (state.length > MAX_STATE_CHARACTERS)
    throw new OAuthError("invalid_request", `state may have at most ${MAX_STATE_CHARACTERS} characters.`);
};

/** The state to return; undefined if none was sent, or if it cannot be returned exactly. */
export function returnableState(parameters: OAuthParameters): string | undefined {
  const state = parameters.get("state");
  return parameters.isRepeated("state") || state?.includes("\uFFFD") ? undefined : state;
}

/** The authorization code is the only response type (RFC 6749 §4.1.1). */
const assertResponseType: AuthorizationCheck = (parameters) => {
  const responseType = parameters.get("response_type");
  if (!responseType) throw new OAuthError("invalid_request", "response_type is missing; it must be code.");
  if (responseType !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code.");
};

/**
 * The answer comes in the query, so a client that expects it elsewhere is refused (OAuth 2.0 Multiple Response Types
 * §2.1).
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

/** An absent method means `plain` (RFC 7636 §4.3), which protects nothing (RFC 9700 §2.1.1). */
const assertCodeChallengeMethod: AuthorizationCheck = (parameters) => {
  if (parameters.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
};

/**
 * What the client gets if the person allows it: of the scopes that it asks for, those that it was created with; all of
 * these if it asks for none (RFC 6749 §3.3). Hosts of assistants ask for all that the metadata lists, which is the same
 * for every client. Null if a word is no scope of ours.
 */
export function grantableScopes(parameters: OAuthParameters, client: Client): Scope[] | null {
  const asked = parseScope(parameters.get("scope") ?? client.scopes.join(" "));
  const registered = { scopes: new Set(client.scopes) };
  return asked && asked.filter((scope) => hasScope(registered, scope));
}

/** Every scope exists, and the client was created with one of them. */
const assertScope: AuthorizationCheck = (parameters, client) => {
  const scopes = grantableScopes(parameters, client);
  if (!scopes)
    throw new OAuthError(
      "invalid_scope",
      "scope must be made of crm:read, crm:write and erp:read, with single spaces between.",
    );
  if (scopes.length === 0)
    throw new OAuthError("invalid_scope", `The client was created with ${client.scopes.join(" ")} alone.`);
};

/** Every `resource` is one of ours (RFC 8707 §2). */
const assertResource: AuthorizationCheck = (parameters) => {
  if (parameters.getAll("resource").some((resource) => !knownResource(resource))) {
    throw new OAuthError("invalid_target", "resource must be the origin of this service, its /api/v1 or its /api/mcp.");
  }
};

/** Applied in this order once client and redirect URI are trusted. The client gets the first error. */
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
