import * as oauth from "oauth4webapi";

import type { Demo } from "@/tests/service/support/demo";
import { consent, signInBrowser } from "@/scripts/demo/obtain-access-token";

/** An allowed authorization: a code, and what is needed to redeem it. */
export interface Authorization {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  /** The answer at the redirect URI, checked by the library. */
  callback: URLSearchParams;
  verifier: string;
}

/** The service may run without TLS on this machine. */
const HTTP = { [oauth.allowInsecureRequests]: true };

export async function discover(demo: Demo): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(demo.base_url);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...HTTP, algorithm: "oauth2" }));
}

/**
 * Signs in, opens the authorization endpoint with PKCE, and presses Allow or Deny. Throws the library's error if the
 * answer is an error.
 */
export async function authorize(
  demo: Demo,
  scope: string,
  decision: "allow" | "deny" = "allow",
): Promise<Authorization> {
  const server = await discover(demo);
  const client: oauth.Client = { client_id: demo.oauth_client.client_id };
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: demo.oauth_client.redirect_uri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const browser = await signInBrowser({ baseUrl: demo.base_url, ...demo.admin });
  const callback = oauth.validateAuthResponse(server, client, await consent(browser, url, decision), state);
  return { server, client, callback, verifier };
}

/** Sends the code to the token endpoint. */
export function redeem(demo: Demo, { server, client, callback, verifier }: Authorization): Promise<Response> {
  const secret = oauth.ClientSecretPost(demo.oauth_client.client_secret);
  return oauth.authorizationCodeGrantRequest(
    server,
    client,
    secret,
    callback,
    demo.oauth_client.redirect_uri,
    verifier,
    HTTP,
  );
}
