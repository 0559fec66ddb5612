import { timingSafeEqual } from "node:crypto";

import type { Reply } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import { OAuthError } from "./oauth-error";

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Client credentials are sent in the form, or in a Basic header. */
function assertClient({ org, headers }: Exchange, form: URLSearchParams): void {
  const basic = /^Basic (.+)$/i.exec(headers["authorization"] ?? "")?.[1];
  const [basicId, basicSecret] = basic
    ? Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
    : [];
  if ((form.get("client_id") ?? basicId) !== org.sessions.clientId)
    throw new OAuthError("invalid_client_id", "client identifier invalid");
  if (!sameText(form.get("client_secret") ?? basicSecret ?? "", org.sessions.clientSecret))
    throw new OAuthError("invalid_client", "invalid client credentials");
}

function grant(
  { org }: Exchange,
  form: URLSearchParams,
): { accessToken: string; refreshToken: string | null; scope: string } {
  switch (form.get("grant_type")) {
    case "authorization_code":
      return org.sessions.redeem(form.get("code") ?? "", form.get("redirect_uri") ?? "", form.get("code_verifier"));
    case "refresh_token":
      return org.sessions.refresh(form.get("refresh_token") ?? "");
    default:
      throw new OAuthError("unsupported_grant_type", "grant type not supported");
  }
}

/** Turns an OAuthError into `{error, error_description}`. */
function oauthAnswer(run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { status: error.status, json: { error: error.error, error_description: error.description } };
  }
}

/** The answer has no `expires_in`: a client learns from a 401 that its session has expired. */
export const token: Handler = (exchange) =>
  oauthAnswer(() => {
    const form = new URLSearchParams(exchange.body);
    assertClient(exchange, form);
    const { accessToken, refreshToken, scope } = grant(exchange, form);
    const issuedAt = String(Date.now());
    const { org } = exchange;
    return {
      status: 200,
      headers: { "Cache-Control": "no-store", Pragma: "no-cache" },
      json: {
        access_token: accessToken,
        ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
        signature: org.sessions.sign(org.identityUrl + issuedAt),
        scope,
        instance_url: org.instanceUrl,
        id: org.identityUrl,
        token_type: "Bearer",
        issued_at: issuedAt,
      },
    };
  });

export const revoke: Handler = (exchange) =>
  oauthAnswer(() => {
    const token = new URLSearchParams(exchange.body).get("token") ?? exchange.search.get("token") ?? "";
    if (!exchange.org.sessions.revoke(token))
      throw new OAuthError("invalid_token", `invalid token: ${token.slice(0, 10)}`);
    return { status: 200, text: "" };
  });
