import { randomBytes } from "node:crypto";

import { Client } from "pg";

import { decrypt } from "@/lib/security/crypto";
import { setupCode } from "@/lib/sessions/people/setup-code";
import { grantTo } from "@/tests/service/support/grant-to";
import type { OwnService } from "@/tests/service/setup/own-service";
import { useWebhooks } from "@/tests/service/setup/use-webhooks";
import { analyze, run } from "@/tests/service/support/migrate";
import { RestClient } from "@/tests/service/support/rest-client";
import { SettingsApi } from "@/tests/service/support/settings-api";
import type { RunningOrg } from "@/sandbox-org/start";
import { Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";

type Secrets = Record<string, string>;

const REDIRECT_URI = "http://127.0.0.1:53685/callback";
/** Who creates the organization. */
export const ADMIN = { email: "ada@secrets.example", password: `Heather-${randomBytes(9).toString("base64url")}` };

/**
 * Uses each kind of secret, rightly and wrongly: sets up and signs in; registers, rotates and revokes clients; allows,
 * redeems and replays codes; calls the MCP server; connects an org by token and by sign-in, migrates it both times;
 * and signs webhooks.
 * Returns the secrets by name.
 */
export async function useEverySecret(
  service: Pick<OwnService, "baseUrl" | "databaseUrl">,
  org: RunningOrg,
): Promise<Secrets> {
  const browser = await setUp(service.baseUrl);
  const wrongPassword = `Wrong-${randomBytes(9).toString("base64url")}`;
  await signInBrowser({ baseUrl: service.baseUrl, email: ADMIN.email, password: wrongPassword }).catch(() => undefined);
  const ours = await useClients(service.baseUrl, browser);
  const api = new RestClient(service.baseUrl, ours.accessToken ?? "");
  await migrate(api, { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken });
  const ofWebhooks = await useWebhooks(service.baseUrl, ours.accessToken ?? "");
  const theirs = await connectBySignIn(service.baseUrl, api, browser, org);
  const stored = await readEncrypted(service.databaseUrl);
  return {
    password: ADMIN.password,
    wrongPassword,
    ...cookiesOf(browser),
    ...ours,
    ...ofWebhooks,
    ...theirs,
    ...stored,
    orgToken: org.accessToken,
  };
}

/** Creates the organization with the setup code, and signs in. */
export async function setUp(baseUrl: string): Promise<Browser> {
  const browser = new Browser(baseUrl, fetch);
  const answer = await browser.post("/api/auth/setup", {
    setup_code: setupCode(),
    organization: "Fells Bakery",
    name: "Ada Admin",
    ...ADMIN,
  });
  if (answer.headers.get("location") !== "/")
    throw new Error(`The setup was answered ${answer.status} ${answer.headers.get("location")}.`);
  await browser.post("/api/auth/sign-out", {});
  return signInBrowser({ baseUrl, ...ADMIN });
}

function cookiesOf(browser: Browser): Secrets {
  const pairs = browser.cookieHeader().split("; ");
  return Object.fromEntries(
    pairs.map((pair) => [`cookie ${pair.split("=", 1)[0]}`, pair.slice(pair.indexOf("=") + 1)]),
  );
}

/** Registers, rotates and revokes API clients, and obtains access tokens. */
async function useClients(baseUrl: string, browser: Browser): Promise<Secrets> {
  const settings = new SettingsApi(baseUrl, browser);
  const client = await settings.register(REDIRECT_URI, ["crm:read", "crm:write"]);
  const terms = { baseUrl, client, redirectUri: REDIRECT_URI };
  const replayed = await grantTo(browser, terms);
  await replayed.replay();
  const wrongSecret = `crm_secret_${randomBytes(32).toString("base64url")}`;
  await grantTo(browser, { ...terms, client: { ...client, client_secret: wrongSecret } }).catch(() => undefined);
  const { body } = await settings.call("POST", `clients/${client.id}/rotate_secret`, { overlap_hours: 1 });
  const newSecret = String(body.client_secret);
  const grant = await grantTo(browser, { ...terms, client: { ...client, client_secret: newSecret } });
  const revoked = await settings.register(REDIRECT_URI, ["crm:read"]);
  const ended = await grantTo(browser, { ...terms, client: revoked });
  await settings.call("DELETE", `clients/${revoked.id}`);
  await fetch(new URL("/api/v1/accounts", baseUrl), { headers: { authorization: `Bearer ${ended.accessToken}` } });
  const called = [await callTool(baseUrl, grant.accessToken), await callTool(baseUrl, ended.accessToken)];
  if (called.join() !== "200,401") throw new Error(`The MCP server answered ${called.join(" and ")}.`);
  const { code, verifier, accessToken } = grant;
  const secretsOfClients = {
    oldSecret: client.client_secret,
    newSecret,
    wrongSecret,
    revokedSecret: revoked.client_secret,
  };
  const spent = {
    replayedCode: replayed.code,
    replayedVerifier: replayed.verifier,
    replayedToken: replayed.accessToken,
  };
  return { ...secretsOfClients, code, verifier, accessToken, revokedToken: ended.accessToken, ...spent };
}

/** Sends a call with a token to the MCP server, which the tool refuses, and returns the status. */
async function callTool(baseUrl: string, token: string): Promise<number> {
  const params = { name: "create_record", arguments: { object: "accounts", fields: { access_token: token } } };
  const { status } = await fetch(new URL("/api/mcp", baseUrl), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return status;
}

/** Analyzes and runs a migration until it is completed. */
async function migrate(api: RestClient, connection: object, beforeRun?: () => Promise<void>): Promise<void> {
  const { migration_id } = await analyze(api, connection);
  await beforeRun?.();
  const { status } = await run(api, migration_id);
  if (!status.startsWith("completed")) throw new Error(`The migration ended as ${status}.`);
}

/** Connects by a sign-in at the org. Then its access token expires, so that the refresh token is used. */
async function connectBySignIn(baseUrl: string, api: RestClient, browser: Browser, org: RunningOrg): Promise<Secrets> {
  const headers = { cookie: browser.cookieHeader(), origin: baseUrl, "content-type": "application/json" };
  const begin = async () => {
    const body = JSON.stringify({ login_url: org.instanceUrl });
    const answer = await fetch(new URL("/api/v1/migration/connections/authorize", baseUrl), {
      method: "POST",
      headers,
      body,
    });
    return new URL(((await answer.json()) as { authorize_url: string }).authorize_url);
  };
  await begin();
  const authorizeUrl = await begin();
  const form = new URLSearchParams([...authorizeUrl.searchParams, ["decision", "allow"]]);
  const allowed = await fetch(authorizeUrl.origin + authorizeUrl.pathname, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const callback = new URL(allowed.headers.get("location") ?? "");
  const back = await browser.get(callback.pathname + callback.search);
  const connectionId = new URL(back.headers.get("location") ?? "", baseUrl).searchParams.get("connection_id");
  await migrate(api, { connection_id: connectionId }, () => org.expireSessions());
  return { orgCode: callback.searchParams.get("code") ?? "", orgClientSecret: org.clientSecret };
}

const ENCRYPTED: [table: string, column: string][] = [
  ["connections", "access_token_enc"],
  ["connections", "refresh_token_enc"],
  ["connection_attempts", "code_verifier_enc"],
];

/** The stored encrypted values, decrypted as only the service can. */
async function readEncrypted(databaseUrl: string): Promise<Secrets> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const secrets: Secrets = {};
  for (const [table, column] of ENCRYPTED) {
    const stored = `SELECT organization_id, id, ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`;
    const { rows } = await client.query<{ organization_id: string; id: string; value: Buffer }>(stored);
    for (const [index, { organization_id, id, value }] of rows.entries()) {
      secrets[`${column} ${index}`] = decrypt([`${table}.${column}`, organization_id, id], value);
    }
  }
  await client.end();
  return secrets;
}
