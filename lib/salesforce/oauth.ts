import { createHash } from "node:crypto";

import { z } from "zod";

import { AppError } from "@/lib/errors";
import { parseBoundedJson, ResponseRefused } from "@/lib/input/bounded-json";
import { outboundFetch, readBoundedText } from "@/lib/outbound/outbound-fetch";
import { SMALL } from "@/lib/salesforce/answer-bounds";
import { errorOfAnswer, quoted, SalesforceError, TRANSIENT_STATUS } from "@/lib/salesforce/errors";
import { isElsewhere, orgMoved } from "@/lib/salesforce/refusals";
import { retryAfterSeconds } from "@/lib/salesforce/retry";
import { errorOfSocket } from "@/lib/salesforce/socket-errors";

const SCOPE = "api refresh_token id";

const TIMEOUT_MS = 30_000;

/** The External Client App (or connected app) of this service in Salesforce. */
export interface OAuthApp {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** Sent in a header. Those of Salesforce are much shorter. */
const secret = z.string().min(1).max(10_000);

const tokens = z.object({
  access_token: secret,
  refresh_token: secret.optional(),
  instance_url: z.url().max(2000),
  id: z.string().max(2000).optional(),
});

const refusal = z.object({ error: z.string().max(100), error_description: z.string().default("") });

export type Tokens = z.output<typeof tokens>;

/** The challenge of a code verifier (RFC 7636 §4.2, S256). */
function codeChallenge(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The address at which the user allows access (RFC 6749 §4.1.1, with PKCE). */
export function authorizeUrl(loginUrl: string, app: OAuthApp, state: string, verifier: string): string {
  const url = new URL("/services/oauth2/authorize", loginUrl);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: SCOPE,
    state,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  return url.href;
}

/** Exchanges the code that the browser returned with. Throws the refusal as a sentence. */
export function exchangeCode(loginUrl: string, app: OAuthApp, code: string, verifier: string): Promise<Tokens> {
  return requestTokens(loginUrl, {
    grant_type: "authorization_code",
    code,
    client_id: app.clientId,
    client_secret: app.clientSecret,
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
  });
}

/**
 * Gets a new access token. With rotation enabled in the org, the answer has a new refresh token too, and the old one is
 * no longer valid.
 */
export function refreshTokens(
  loginUrl: string,
  app: Omit<OAuthApp, "redirectUri">,
  refreshToken: string,
): Promise<Tokens> {
  return requestTokens(loginUrl, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: app.clientId,
    client_secret: app.clientSecret,
  }).catch(refuseToken);
}

/** An inactive user, or an app that is blocked, is refused all access, and not that to one object. */
function refuseToken(error: unknown): never {
  if (!(error instanceof SalesforceError) || error.code !== "source_access_denied") throw error;
  throw new SalesforceError("source_token_refused", error.message, { errorCode: error.errorCode, cause: error });
}

/** Short, because a person waits and the tokens are deleted in any case. */
const REVOKE_TIMEOUT_MS = 10_000;

/** Hundreds may be read at a time. Salesforce sends less than a hundred bytes. */
const MAX_REVOCATION_BYTES = 16 * 1024;

/**
 * Revokes a token at Salesforce (REST: "Revoke OAuth Tokens", after RFC 7009); a refresh token takes its access tokens
 * with it. The token is sent in the body, so that it appears in no log. Throws a sentence when Salesforce does not
 * revoke it or cannot be reached.
 */
export async function revokeToken(loginUrl: string, token: string): Promise<void> {
  const url = new URL("/services/oauth2/revoke", loginUrl);
  try {
    const response = await outboundFetch(url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token }).toString(),
      signal: AbortSignal.timeout(REVOKE_TIMEOUT_MS),
    });
    const text = await readBoundedText(response, MAX_REVOCATION_BYTES).catch(emptyIfRefused);
    if (response.ok) return;
    if (TRANSIENT_STATUS.has(response.status)) throw errorOfAnswer(response.status, text);
    const { error = `HTTP ${response.status}` } = refusal.safeParse(parseBoundedJson(text, SMALL.values)).data ?? {};
    const detail = error === "invalid_token" ? NOT_REVOKED : `Salesforce did not revoke the access (${quoted(error)}).`;
    throw new SalesforceError("source_error", detail, { status: response.status, errorCode: error });
  } catch (refused) {
    if (refused instanceof AppError) throw refused;
    throw errorOfSocket(refused, url);
  }
}

/** The status says what has become of the token, the text only why. */
function emptyIfRefused(error: unknown): string {
  if (error instanceof ResponseRefused) return "";
  throw error;
}

const NOT_REVOKED =
  "Salesforce did not revoke the access (invalid_token): it has already expired, or it belongs to a person's own " +
  "session, which ends when that person logs out.";

async function requestTokens(loginUrl: string, form: Record<string, string>): Promise<Tokens> {
  const url = new URL("/services/oauth2/token", loginUrl);
  try {
    const response = await outboundFetch(url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readBoundedText(response, SMALL.bytes);
    // Whatever the body says then, the tokens are not refused: the endpoint is out of order for a while.
    if (TRANSIENT_STATUS.has(response.status))
      throw errorOfAnswer(response.status, text, retryAfterSeconds(response.headers.get("retry-after")));
    const answer = { status: response.status, errorCode: null };
    if (isElsewhere(answer)) throw orgMoved(answer);
    const body = parseBoundedJson(text, SMALL.values);
    if (response.ok) return tokens.parse(body);
    const refused = refusal.safeParse(body);
    if (refused.success) throw oauthRefusal(refused.data.error, refused.data.error_description);
    throw new SalesforceError(
      "source_not_salesforce",
      `${url.host} did not answer as Salesforce does. Check the address.`,
      {
        status: response.status,
      },
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof z.ZodError)
      throw new SalesforceError("source_not_salesforce", `${url.host} did not answer as Salesforce does.`, {
        cause: error,
      });
    throw errorOfSocket(error, url);
  }
}

const NOT_INSTALLED =
  "This service is not installed in the Salesforce org, and since September 2025 Salesforce blocks apps that are " +
  "not. An administrator of the org must install it (Setup › Connected Apps OAuth Usage › Install) or give the user " +
  "the permission “Approve Uninstalled Connected Apps”.";

const REFUSALS: Record<string, string> = {
  access_denied: "The access was declined in Salesforce. Connect again and choose Allow.",
  invalid_client_id:
    "Salesforce does not know this service's consumer key. Connect with an access token, or have whoever runs this " +
    "service check SALESFORCE_CLIENT_ID; a new app needs some minutes until it works.",
  invalid_client:
    "Salesforce does not accept this service's consumer key and secret. Connect with an access token, or have " +
    "whoever runs this service check SALESFORCE_CLIENT_ID and SALESFORCE_CLIENT_SECRET.",
  redirect_uri_mismatch:
    "The callback address of this service is not entered in the Salesforce app. Connect with an access token, or " +
    "have whoever runs this service add APP_URL followed by /migration/callback to the app.",
  inactive_user: "The Salesforce user is inactive. Connect as an active user.",
  inactive_org: "The Salesforce org is locked, closed or suspended. Its administrator must reactivate it first.",
};

/**
 * Salesforce answers a fault of its own with the status 400 (`unknown_error`, "retry your request"), and so a refresh
 * while it still works on an earlier one (`invalid_grant`, "token request is already being processed").
 */
const PASSING = new Set(["unknown_error", "server_error", "temporarily_unavailable"]);

function isPassing(error: string, description: string): boolean {
  return PASSING.has(error) || /already being processed/i.test(description);
}

/** Connecting again would not help: the org lets the app in from other addresses, or at other hours, alone. */
const RESTRICTED =
  "The Salesforce org restricts from where, or when, this user may be signed in. An administrator of the org lets " +
  "this service in: by “Relax IP restrictions” in the policies of its app (IP Relaxation; for a refresh token also " +
  "the app's allowlist of addresses), or by the login IP ranges and login hours of the user's profile (Setup › " +
  "Profiles).";

function grantRefusal(description: string): SalesforceError {
  const options = { errorCode: "invalid_grant" };
  if (/ip restricted|login hours/i.test(description))
    return new SalesforceError("source_access_denied", RESTRICTED, options);
  if (/inactive user/i.test(description))
    return new SalesforceError("source_access_denied", REFUSALS.inactive_user ?? "", options);
  const detail =
    `Salesforce no longer accepts this connection (${quoted(description) || "invalid_grant"}). Connect to the ` +
    "Salesforce org again.";
  return new SalesforceError("source_token_refused", detail, options);
}

/** Turns an OAuth error, from a redirect or the token endpoint, into a sentence with cause and remedy. */
export function oauthRefusal(error: string, description: string): SalesforceError {
  const options = { errorCode: error };
  if (/app must be installed/i.test(description))
    return new SalesforceError("source_access_denied", NOT_INSTALLED, options);
  if (isPassing(error, description)) {
    const detail = `Salesforce could not give access at the moment (${quoted(description || error)}). Try again.`;
    return new SalesforceError("source_error", detail, { ...options, transient: true });
  }
  if (error === "invalid_grant") return grantRefusal(description);
  const sentence = Object.hasOwn(REFUSALS, error) ? REFUSALS[error] : undefined;
  return new SalesforceError(
    "source_access_denied",
    sentence ?? `Salesforce refused the connection: ${quoted(description || error)}.`,
    options,
  );
}
