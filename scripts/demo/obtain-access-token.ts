import * as oauth from "oauth4webapi";

/** An OAuth client as an outsider knows it, and the person who allows it access. */
export interface AccessTokenOptions {
  /** The server's own origin (APP_URL). */
  baseUrl: string;
  email: string;
  password: string;
  client: { client_id: string; client_secret: string; redirect_uri: string };
  scope: string;
  /** RFC 8707. Without it, the token is valid for every resource. */
  resource?: string;
  /** Replaces the network when the server runs in this process. */
  fetch?: typeof fetch;
}

/** Keeps cookies as a browser does, for one origin. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #fetch: typeof fetch;

  constructor(origin: string, send: typeof fetch) {
    this.#origin = origin;
    this.#fetch = send;
  }

  get(path: string): Promise<Response> {
    return this.#send(path, { method: "GET" });
  }

  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Sends a form as a page of the same origin does. */
  post(path: string, fields: Record<string, string>): Promise<Response> {
    return this.#send(path, { method: "POST", headers: { origin: this.#origin }, body: new URLSearchParams(fields) });
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.cookieHeader());
    const response = await this.#fetch(new URL(path, this.#origin), { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name && value) this.#cookies.set(name, value);
      else if (name) this.#cookies.delete(name);
    }
    return response;
  }
}

/** A browser that is signed in through the sign-in form. */
export async function signInBrowser({
  baseUrl,
  email,
  password,
  fetch: send = fetch,
}: Omit<AccessTokenOptions, "client" | "scope">): Promise<Browser> {
  const browser = new Browser(baseUrl, send);
  const response = await browser.post("/api/auth/sign-in", { email, password, next: "/" });
  if (locationOf(response) !== "/") throw new Error(`The sign-in led to ${response.status} ${locationOf(response)}.`);
  return browser;
}

/**
 * Performs the whole authorization code grant as an independent client does: discovery, sign-in, consent, code, token.
 * Returns the token endpoint's answer.
 */
export async function obtainAccessToken(options: AccessTokenOptions): Promise<oauth.TokenEndpointResponse> {
  const { baseUrl, client, scope, resource, fetch: send = fetch } = options;
  const http = { [oauth.customFetch]: send as never, [oauth.allowInsecureRequests]: baseUrl.startsWith("http:") };
  const issuer = new URL(baseUrl);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" }),
  );
  if (!server.authorization_endpoint) throw new Error("The metadata name no authorization endpoint.");

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const request = new URL(server.authorization_endpoint);
  request.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    response_type: "code",
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(resource && { resource }),
  }).toString();

  const browser = await signInBrowser(options);
  const callback = await consent(browser, request);
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const authentication = oauth.ClientSecretPost(client.client_secret);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    client.redirect_uri,
    verifier,
    http,
  );
  return oauth.processAuthorizationCodeResponse(server, client, answer);
}

/**
 * Opens an authorization request in a signed-in browser and presses Allow or Deny. Returns the URL that the browser is
 * redirected to.
 */
export async function consent(browser: Browser, request: URL, decision: "allow" | "deny" = "allow"): Promise<URL> {
  const toConsent = locationOf(await browser.get(`${request.pathname}${request.search}`));
  if (!toConsent.startsWith("/oauth/consent?")) throw new Error(`The authorization endpoint led to ${toConsent}.`);
  const page = await (await browser.get(toConsent)).text();
  const fields = { request: hiddenInput(page, "request"), token: hiddenInput(page, "token"), decision };
  return new URL(locationOf(await browser.post("/oauth/consent/decision", fields)));
}

/** The value of a hidden field of the consent page. */
export function hiddenInput(page: string, name: string): string {
  const input = [...page.matchAll(/<input[^>]*>/g)].map(([tag]) => tag).find((tag) => tag.includes(`name="${name}"`));
  const [, value] = /value="([^"]*)"/.exec(input ?? "") ?? [];
  if (!value) throw new Error(`The consent page has no field ${name}.`);
  return value;
}

function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}
