import { createHash, randomBytes } from "node:crypto";

import { Api, demo } from "@/tests/service/specification/support/service";
import { consent, type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";

/** A client in the settings. Only the answer to its creation has the secret. */
export interface Client {
  id: string;
  client_id: string;
  client_secret: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
}

export const REDIRECT_URI = "http://127.0.0.1:53682/callback";

const NAME = "Specification client";

/** A signed-in admin, whose cookie is sent with the pages' requests. */
export interface Admin {
  browser: Browser;
  settings: Api;
}

export async function signInAdmin(): Promise<Admin> {
  const browser = await signInBrowser({ baseUrl: demo.base_url, ...demo.admin });
  return { browser, settings: new Api({ cookie: browser.cookieHeader(), origin: demo.base_url }) };
}

/** Settings, API, Create Client: sends what that page sends. */
export function createClient({ settings }: Admin, scopes: string[]): Promise<Client> {
  return settings.must("POST", "/settings/clients", { name: NAME, redirect_uris: [REDIRECT_URI], scopes });
}

/** Revokes every client that these tests created. */
export async function revokeClients({ settings }: Admin): Promise<void> {
  const clients = await settings.all<Client>("/settings/clients");
  for (const { id, name } of clients) if (name === NAME) await settings.must("DELETE", `/settings/clients/${id}`);
}

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** An authorization request with the parameters of the specification. Null leaves one out. */
export function authorizationRequest(
  client: Client,
  challenge: string,
  change: Record<string, string | null> = {},
): URL {
  const url = new URL("/oauth/authorize", demo.base_url);
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: client.scopes.join(" "),
    state: "the state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...change,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return url;
}

export interface Redemption extends Record<string, string> {
  grant_type: string;
  code: string;
  redirect_uri: string;
  client_id: string;
  client_secret: string;
  code_verifier: string;
}

/** A person allows the client. Returns what the client then sends to the token endpoint. */
export async function allowed(
  { browser }: Admin,
  client: Client,
  change: Record<string, string | null> = {},
): Promise<Redemption> {
  const { verifier, challenge } = newVerifier();
  const callback = await consent(browser, authorizationRequest(client, challenge, change));
  return {
    grant_type: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: REDIRECT_URI,
    client_id: client.client_id,
    client_secret: client.client_secret,
    code_verifier: verifier,
  };
}

/** POST /oauth/token with Content-Type application/x-www-form-urlencoded. */
export async function redeem(
  fields: Record<string, string>,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${demo.base_url}/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

export async function tokenFor(admin: Admin, client: Client): Promise<string> {
  return String((await redeem(await allowed(admin, client))).body.access_token);
}
