import { createHash, randomBytes } from "node:crypto";

import type { Scope } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import type { role } from "@/lib/generated/prisma/enums";
import { registerClient } from "@/lib/oauth/clients/register-client";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { insertUser } from "@/lib/sessions/people/insert-user";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";

import { send } from "@/tests/oauth/support/service";
import { createOrganization } from "@/tests/support/factories";

export const BASE_URL = "http://localhost:3000";
export const PASSWORD = "correct horse battery";
export const REDIRECT_URI = "https://client.example/callback?kept=1";

/** Made once, because making it takes longer than all else about a person. */
let passwordHash: Promise<string> | undefined;

interface NewPerson {
  organizationId: string;
  email: string;
  name: string;
  role: role;
}

/** Inserts a person who can sign in with {@link PASSWORD}, and returns the user's id. */
export async function insertPerson(person: NewPerson): Promise<string> {
  const hash = await (passwordHash ??= hashPassword(PASSWORD));
  return transaction((client) => insertUser(client, { ...person, passwordHash: hash }));
}

/** An organization of its own, with an admin, a registered client, and a browser in which the admin is signed in. */
export async function arrange(scopes: readonly Scope[] = ["crm:read", "crm:write"]) {
  const email = `admin-${randomBytes(6).toString("hex")}@example.com`;
  const organizationId = await createOrganization("Acme");
  const userId = await insertPerson({ organizationId, email, name: "Ada Admin", role: "admin" });
  const ids = { organizationId, userId };
  const client = await register(ids, "Reporting", scopes);
  const browser = await signInBrowser({ baseUrl: BASE_URL, email, password: PASSWORD, fetch: send });
  return { ...ids, email, client, browser };
}

/** Registers a client of an organization. */
export async function register(
  ids: { organizationId: string; userId: string },
  name: string,
  scopes: readonly Scope[] = ["crm:read"],
) {
  const input = { name, redirect_uris: [REDIRECT_URI], scopes: [...scopes] };
  const client = await inOrganization(ids.organizationId, () => registerClient(ids, input));
  return { ...client, redirect_uri: REDIRECT_URI };
}

export type Arranged = Awaited<ReturnType<typeof arrange>>;

export const VERIFIER = "a-verifier-of-forty-three-characters-or-more";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** A correct authorization request of the client; `undefined` leaves a parameter out. */
export function authorizeQuery(
  { client }: Pick<Arranged, "client">,
  changes: Record<string, string | undefined> = {},
): string {
  const parameters = {
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "crm:read",
    state: "xyz",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...changes,
  };
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
}

/** Where an authorization request leads in the signed-in browser: an address, or "" for a page. */
export async function visit({ browser }: Pick<Arranged, "browser">, query: string): Promise<string> {
  return (await browser.get(`/oauth/authorize?${query}`)).headers.get("location") ?? "";
}

/** The hidden fields of the consent page. */
export function consentFields(page: string): { request: string; token: string } {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  return { request: field("request"), token: field("token") };
}

/** Answers the consent page that `location` leads to, and returns where the browser goes next. */
export async function answerConsent(
  { browser }: Pick<Arranged, "browser">,
  location: string,
  decision: string,
): Promise<URL> {
  const page = await (await browser.get(location)).text();
  const response = await browser.post("/oauth/consent/decision", { ...consentFields(page), decision });
  return new URL(response.headers.get("location") ?? "about:blank");
}

/** A code that the admin has just allowed. */
export async function obtainCode(
  arranged: Arranged,
  changes: Record<string, string | undefined> = {},
): Promise<string> {
  const location = await visit(arranged, authorizeQuery(arranged, changes));
  return (await answerConsent(arranged, location, "allow")).searchParams.get("code") ?? "";
}

interface TokenCall {
  fields?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  query?: string;
}

/** Exchanges a code at the token endpoint, with the given deviations. */
export function exchange(
  { client }: Pick<Arranged, "client">,
  code: string,
  { fields = {}, headers = {}, query = "" }: TokenCall = {},
) {
  const all = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT_URI,
    client_id: client.client_id,
    client_secret: client.client_secret,
    code_verifier: VERIFIER,
    ...fields,
  };
  const body = new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return send(`${BASE_URL}/oauth/token${query}`, { method: "POST", headers, body });
}

/** The token in an answer of the token endpoint; "" when it is a refusal. */
export async function accessTokenOf(response: Response): Promise<string> {
  return ((await response.json()) as { access_token?: string }).access_token ?? "";
}

/** An access token for what the admin has just allowed. */
export async function obtainToken(arranged: Arranged, changes: Record<string, string> = {}): Promise<string> {
  return accessTokenOf(await exchange(arranged, await obtainCode(arranged, changes)));
}

/** A request to the API with an access token. */
export function callApi(token: string, path = "/api/v1/accounts"): Promise<Response> {
  return send(`${BASE_URL}${path}`, { headers: { authorization: `Bearer ${token}` } });
}
