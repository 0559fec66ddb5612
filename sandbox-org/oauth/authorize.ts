import type { Reply } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import { approvePage, errorPage } from "./approve-page";
import { OAuthError } from "./oauth-error";
import { DEFAULT_SCOPE } from "./sessions";

const html = (status: number, text: string): Reply => ({
  status,
  text,
  headers: { "Content-Type": "text/html; charset=UTF-8" },
});

function redirect(redirectUri: string, parameters: Record<string, string | null>): Reply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return { status: 302, text: "", headers: { Location: url.href } };
}

/** Checks the client and the redirect URI. Until both are valid, the browser must not be redirected. */
function readRedirectUri({ org }: Exchange, parameters: URLSearchParams): string {
  const redirectUri = parameters.get("redirect_uri") ?? "";
  if (parameters.get("client_id") !== org.sessions.clientId)
    throw new OAuthError("invalid_client_id", "client identifier invalid");
  const allowed = org.options.redirectUris;
  if (!URL.canParse(redirectUri) || (allowed.length > 0 && !allowed.includes(redirectUri))) {
    throw new OAuthError("redirect_uri_mismatch", "redirect_uri must match configuration");
  }
  return redirectUri;
}

function challengeOf(parameters: URLSearchParams): string | null {
  const method = parameters.get("code_challenge_method") ?? "S256";
  if (method !== "S256") throw new OAuthError("invalid_request", "invalid code challenge method");
  return parameters.get("code_challenge");
}

function withClient(
  exchange: Exchange,
  parameters: URLSearchParams,
  decide: (redirectUri: string, state: string | null) => Reply,
): Reply {
  try {
    const redirectUri = readRedirectUri(exchange, parameters);
    const state = parameters.get("state");
    if (parameters.get("response_type") !== "code")
      return redirect(redirectUri, {
        error: "unsupported_response_type",
        error_description: "response type not supported",
        state,
      });
    if (!exchange.org.appInstalled)
      return redirect(redirectUri, {
        error: "invalid_client",
        error_description: "app must be installed into org",
        state,
      });
    return decide(redirectUri, state);
  } catch (error) {
    if (error instanceof OAuthError) return html(400, errorPage(error.error, error.description));
    throw error;
  }
}

export const showAuthorize: Handler = (exchange) =>
  withClient(exchange, exchange.search, () => {
    challengeOf(exchange.search);
    return html(200, approvePage(exchange.search, exchange.search.get("login_hint") ?? "admin@pumps.example.sandbox"));
  });

export const submitAuthorize: Handler = (exchange) => {
  const form = new URLSearchParams(exchange.body);
  return withClient(exchange, form, (redirectUri, state) => {
    if (form.get("decision") !== "allow")
      return redirect(redirectUri, {
        error: "access_denied",
        error_description: "end-user denied authorization",
        state,
      });
    const code = exchange.org.sessions.issueCode({
      redirectUri,
      challenge: challengeOf(form),
      scope: form.get("scope") ?? DEFAULT_SCOPE,
    });
    return redirect(redirectUri, { code, state });
  });
};
