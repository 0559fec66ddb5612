import { OAuthError } from "@/lib/oauth/oauth-error";
import { type OAuthParameters, assertNotRepeated } from "@/lib/oauth/parameters";

/** A request to the token or revocation endpoint, reduced to what the rules read. */
export interface TokenRequest {
  /** The media type of the body, in lower case and without parameters. */
  mediaType: string | undefined;
  authorization: string | null;
  /** Parameters of the URI, where none are expected. */
  query: OAuthParameters;
  /** Parameters of the form in the body. */
  body: OAuthParameters;
  /** The network address of the request. */
  address: string;
}

/** One rule for the form of a request, before the client is authenticated. Throws an OAuthError. */
type TokenRequestCheck = (request: TokenRequest) => void;

/** Parameters come as a form in the body (RFC 6749 §4.1.3, appendix B). */
const assertFormEncoded: TokenRequestCheck = ({ mediaType }) => {
  if (mediaType !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
  }
};

const BODY_ONLY = [
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "resource",
  "token",
];

/** Credentials must not stand in the request URI, where logs would keep them (RFC 6749 §2.3.1). */
const assertNothingInQuery: TokenRequestCheck = ({ query }) => {
  const misplaced = BODY_ONLY.find((name) => query.getAll(name).length > 0);
  if (misplaced) throw new OAuthError("invalid_request", `${misplaced} belongs in the body, not in the URL.`);
};

const SINGLE_PARAMETERS = [
  "grant_type",
  "code",
  "redirect_uri",
  "client_id",
  "client_secret",
  "code_verifier",
  "scope",
  "token",
  "token_type_hint",
];

/** RFC 6749 §3.2. */
const assertSingleParameters: TokenRequestCheck = ({ body }) => assertNotRepeated(body, SINGLE_PARAMETERS);

/** A client must authenticate in only one way per request (RFC 6749 §2.3). */
const assertOneAuthentication: TokenRequestCheck = ({ authorization, body }) => {
  if (authorization !== null && body.get("client_secret") !== undefined) {
    throw new OAuthError(
      "invalid_request",
      "Send the client secret in the Authorization header or in the body, not in both.",
    );
  }
};

/** Applied in this order before the client is authenticated. */
const FORM_CHECKS: readonly TokenRequestCheck[] = [
  assertFormEncoded,
  assertNothingInQuery,
  assertSingleParameters,
  assertOneAuthentication,
];

/**
 * Checks the form of a request that a client, not a browser, sends to the token or revocation endpoint. Throws an
 * OAuthError.
 */
export function assertClientRequest(request: TokenRequest): void {
  for (const check of FORM_CHECKS) check(request);
}

/** The authorization code is the only grant type (RFC 6749 §4.1.3 and §5.2). */
export const assertGrantType: TokenRequestCheck = ({ body }) => {
  const grantType = body.get("grant_type");
  if (!grantType) throw new OAuthError("invalid_request", "grant_type is missing; it must be authorization_code.");
  if (grantType !== "authorization_code")
    throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code.");
};
