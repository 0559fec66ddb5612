import { randomBytes } from "node:crypto";

import { Client as Database } from "pg";

import { type Demo, readDemo } from "@/tests/service/support/demo";
import { REDIRECT_URIS, type RegisteredClient, Scene } from "@/tests/service/oauth-musts/support/scene";
import { type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";

/**
 * A scene in the demo organization, with separate clients and a colleague. `npm test` sets DATABASE_OWNER_URL; set it
 * by hand otherwise.
 */
export async function createScene(): Promise<Scene> {
  const demo = readDemo();
  if (!process.env.DATABASE_OWNER_URL)
    throw new Error("Set DATABASE_OWNER_URL to the database of the running service.");
  const database = new Database({ connectionString: process.env.DATABASE_OWNER_URL });
  await database.connect();
  const { base_url: baseUrl, admin } = demo;
  const browser = await signInBrowser({ baseUrl, ...admin });
  return new Scene({
    origin: baseUrl,
    browser,
    secondBrowser: await signInBrowser({ baseUrl, ...admin }),
    colleague: await signInBrowser({ baseUrl, email: await addColleague(database, demo), password: admin.password }),
    client: await registerClient(baseUrl, browser, ["crm:read", "erp:read"]),
    other: await registerClient(baseUrl, browser, ["crm:read", "crm:write", "erp:read"]),
    guessed: await registerClient(baseUrl, browser, ["crm:read"]),
    database,
  });
}

async function registerClient(baseUrl: string, browser: Browser, scopes: readonly string[]): Promise<RegisteredClient> {
  const response = await fetch(new URL("/api/v1/settings/clients", baseUrl), {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl, cookie: browser.cookieHeader() },
    body: JSON.stringify({ name: "Rule by rule", redirect_uris: REDIRECT_URIS, scopes }),
  });
  const { client_id, client_secret } = (await response.json()) as RegisteredClient;
  return { client_id, client_secret };
}

/**
 * Adds a member with the admin's password to the admin's organization, because the API cannot. Returns the e-mail
 * address.
 */
async function addColleague(database: Database, { admin }: Demo): Promise<string> {
  const email = `colleague-${randomBytes(6).toString("hex")}@demo.example`;
  await database.query(
    `WITH colleague AS (
       INSERT INTO users (id, email, name, password_hash, created_at)
       SELECT gen_random_uuid(), $1, 'Cora Colleague', password_hash, now() FROM users WHERE email = $2 RETURNING id
     )
     INSERT INTO memberships (organization_id, user_id, role, created_at)
     SELECT m.organization_id, c.id, 'member', now()
     FROM colleague c, memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $2`,
    [email, admin.email],
  );
  return email;
}
