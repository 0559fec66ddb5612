import { type Context, type Scope, SCOPES, SHOWN_PERSON } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { clientAddress, isSameOrigin, readCookie } from "@/lib/http/request";
import { isGrantedFor, resourceOf, resourceMetadataUrl } from "@/lib/oauth/protected-resources";
import { findAccessToken, recordTokenUse } from "@/lib/oauth/token/access-token";
import { openSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import {
  sessionContext,
  browserName,
  findSession,
  type Session,
  type Visit,
} from "@/lib/sessions/browser-sessions/session-store";

/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Authenticates a request by its bearer token, or by the session cookie of our own pages. Nothing is cached, so a
 * token, member or session that has ended fails with the very next request. Throws `unauthenticated`, with the
 * challenge in its headers, or `forbidden`.
 */
export async function authenticate(request: Request, requestId: string): Promise<Context> {
  const authorization = authorizationOf(request);
  return authorization === null ? fromSession(request, requestId) : fromBearer(request, requestId, authorization);
}

/** As {@link authenticate}, by a bearer token alone: where no page of ours asks, a cookie must open nothing. */
export async function authenticateToken(request: Request, requestId: string): Promise<Context> {
  const authorization = authorizationOf(request);
  if (authorization === null) throw tokenMissing(request);
  return fromBearer(request, requestId, authorization);
}

/** The `Authorization` header. Throws `invalid_request` for a token in the URL. */
function authorizationOf(request: Request): string | null {
  if (new URL(request.url).searchParams.has("access_token")) throw tokenInUrl(request);
  return request.headers.get("authorization");
}

async function fromBearer(request: Request, requestId: string, authorization: string): Promise<Context> {
  if (!/^Bearer( |$)/i.test(authorization)) throw tokenMissing(request);
  const [, value] = BEARER.exec(authorization) ?? [];
  const token = value === undefined ? null : await findAccessToken(value);
  if (!token) throw tokenInvalid(request, "The access token is unknown, expired or revoked.");
  if (!isGrantedFor(token.resource, resourceOf(new URL(request.url).pathname))) {
    throw tokenInvalid(request, "The access token was issued for another resource.");
  }
  recordTokenUse(token);
  return {
    requestId,
    organizationId: token.organization_id,
    userId: token.user_id,
    role: token.role,
    clientId: token.client_id,
    scopes: new Set(token.scopes),
    clientScopes: new Set(token.client_scopes),
    address: clientAddress(request.headers),
  };
}

async function fromSession(request: Request, requestId: string): Promise<Context> {
  const session = await requestSession(request.headers);
  if (!session) throw tokenMissing(request);
  if (!isSameOrigin(request))
    throw new AppError(
      "forbidden",
      "A browser's session is valid only for requests that this service's own pages send.",
    );
  assertShown(request.headers, session);
  return sessionContext(session, { requestId, address: clientAddress(request.headers) });
}

/** Asserts that the page that sends a request shows the person who is signed in. Throws `forbidden`. */
export function assertShown(headers: Headers, session: Session): void {
  const shown = headers.get(SHOWN_PERSON);
  if (shown === null || shown === personOf(session)) return;
  throw new AppError(
    "forbidden",
    "Somebody else has signed in since this page was loaded. Reload the page to go on as that person.",
  );
}

/** Whom the pages of a session show as signed in. In another tab, somebody else may sign in meanwhile. */
export function personOf({ organization_id, user_id }: Session): string {
  return `${organization_id}/${user_id}`;
}

/** A token must not stand in the URL (RFC 9700 §4.3.2), nor in two places (RFC 6750 §2). */
function tokenInUrl(request: Request): AppError {
  const description = "Send the access token in the Authorization header, never in the URL.";
  const challenge = bearerChallenge(request, { error: { code: "invalid_request", description } });
  return new AppError("invalid_request", `${description} Revoke this one.`, {
    headers: { "www-authenticate": challenge },
  });
}

/** Without a token the challenge names no error (RFC 6750 §3.1). */
function tokenMissing(request: Request): AppError {
  return new AppError("unauthenticated", "Send an access token in the Authorization header, or sign in.", {
    headers: { "www-authenticate": bearerChallenge(request) },
  });
}

function tokenInvalid(request: Request, description: string): AppError {
  return new AppError("unauthenticated", `${description} Get a new one.`, {
    headers: {
      "www-authenticate": bearerChallenge(request, { error: { code: "invalid_token", description } }),
    },
  });
}

interface Challenge {
  /** RFC 6750 §3.1; absent if no token was sent. */
  error?: { code: "invalid_request" | "invalid_token" | "insufficient_scope"; description: string };
  /**
   * The scopes that a token needs. Where it is not known yet what the request needs, nor which client asks, they are
   * all: hosts of assistants ask for these and no others, and get those that the client was created with.
   */
  scopes?: readonly Scope[];
}

/**
 * The `WWW-Authenticate` value that tells a client where to get a token for its request (RFC 6750 §3, RFC 9728 §5.1).
 */
export function bearerChallenge(request: Request, { error, scopes = SCOPES }: Challenge = {}): string {
  const { pathname } = new URL(request.url);
  const attributes = [
    ...(error ? [`error="${error.code}"`, `error_description="${error.description}"`] : []),
    `scope="${scopes.join(" ")}"`,
    `resource_metadata="${resourceMetadataUrl(resourceOf(pathname))}"`,
  ];
  return `Bearer ${attributes.join(", ")}`;
}

/** The live session that a request's cookie names, or null. */
export async function requestSession(headers: Headers): Promise<Session | null> {
  const cookie = readCookie(headers, SESSION_COOKIE);
  const id = cookie && (await openSessionId(cookie));
  return id ? findSession(id, clientAddress(headers)) : null;
}

/** Where a request comes from, in the form in which sessions store it. */
export function visitOf(headers: Headers): Visit {
  return { address: clientAddress(headers), browser: browserName(headers.get("user-agent")) };
}
