import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { reconnectMigration } from "@/lib/migration/connections/reconnect-migration";
import { execute } from "@/lib/operation";
import { probeOrg } from "@/lib/salesforce/probe";
import { query } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { createMigration, finishedOf } from "@/tests/migration/support/run-migration";
import { openConnection, startRun, workSlice } from "@/tests/migration/support/within";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

const TOKENS = "/services/oauth2/token";

let org: RunningOrg;
/** A host that redirects, as the former My Domain of an org does. */
let former: string;
let context: Context;
let orgId: string | null;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK] });
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  ({ orgId } = await probeOrg(org.instanceUrl, org.accessToken));
  former = await startHost((_request, response) => response.writeHead(301, { location: org.instanceUrl }).end());
});

afterAll(async () => {
  Object.assign(env, { SALESFORCE_CLIENT_ID: undefined, SALESFORCE_CLIENT_SECRET: undefined });
  stopHosts();
  await org.stop();
});

beforeEach(async () => {
  recordJobs();
  await org.setRules([]);
  context = await createContext();
});

async function signIn(): Promise<string> {
  const api = new MigrationApi(await createAccessToken(context));
  return connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
}

async function move(connectionId: string, address: string): Promise<void> {
  await pool().query("UPDATE connections SET ext_instance_url = $2 WHERE id = $1", [connectionId, address]);
}

async function addressOf(connectionId: string): Promise<unknown> {
  const { rows } = await pool().query("SELECT ext_instance_url FROM connections WHERE id = $1", [connectionId]);
  return rows[0]?.ext_instance_url;
}

const MOVED = { code: "source_token_refused", message: expect.stringContaining("another address now") };

test.each([
  ["https://acme-group.my.salesforce.com", "https://acme-group.my.salesforce.com"],
  // No host but one of Salesforce is believed to be the same org.
  ["https://acme.example", "https://acme.my.salesforce.com"],
])("new tokens that name the address %s are used at %s", async (named, used) => {
  const id = await signIn();
  const client = await openConnection(context.organizationId, id, { retry: { retries: 0 } });
  await move(id, "https://acme.my.salesforce.com");
  await org.expireSessions();
  const body = { access_token: org.accessToken, instance_url: named };
  await org.setRules([{ path: TOKENS, status: 200, body }]);
  await expect(query(client, "SELECT Id FROM Account")).rejects.toMatchObject({ code: "source_unreachable" });
  expect([client.origin, await addressOf(id)]).toEqual([used, used]);
});

test("an org that redirects is to be connected again, also where its new tokens name the same address", async () => {
  const id = await signIn();
  await move(id, former);
  await org.setRules([{ path: TOKENS, status: 200, body: { access_token: "another", instance_url: former } }]);
  const client = await openConnection(context.organizationId, id);
  await expect(query(client, "SELECT Id FROM Account")).rejects.toMatchObject(MOVED);
  await org.setRules([{ path: TOKENS, status: 301, headers: { location: "https://acme.example" } }]);
  await expect(query(client, "SELECT Id FROM Account")).rejects.toMatchObject(MOVED);
});

/** A run that paused because its org has moved. */
async function pausedRun() {
  const source = { instanceUrl: former, accessToken: org.accessToken };
  const key = await createMigration(["Account"], source, context.organizationId);
  await pool().query("UPDATE migrations SET report = report || $2 WHERE id = $1", [
    key.migrationId,
    { org: { id: orgId, ext_instance_url: former } },
  ]);
  const run = await transaction((tx) => startRun(tx, key));
  expect(await workSlice(run, openConnection, 0)).toBe("ended");
  expect(await finishedOf(key)).toMatchObject({
    status: "paused",
    failure: { code: "source_token_refused", detail: expect.stringContaining("another address now") },
  });
  return { key, run };
}

/** The only access token that the org accepts from now on. */
async function newToken(): Promise<string> {
  await org.expireSessions();
  const token = `${org.accessToken}-${newId()}`;
  await fetch(`${org.instanceUrl}/__control/accept-token`, { method: "POST", body: JSON.stringify({ token }) });
  return token;
}

test("a run pauses when its org moves, and goes on once the org is connected at its other address", async () => {
  const { key, run } = await pausedRun();
  const ext_access_token = await newToken();
  const again = { migration_id: key.migrationId, ext_access_token };
  await expect(execute(reconnectMigration, context, again)).rejects.toMatchObject({ code: "source_not_salesforce" });
  await execute(reconnectMigration, context, { ...again, ext_instance_url: org.instanceUrl });
  let outcome: unknown = "more";
  while (outcome === "more") outcome = await workSlice(run, openConnection, 0);
  expect(await finishedOf(key)).toMatchObject({ status: "completed", failure: null });
});

test("a migration that is at work keeps its access, and the refusal names its status", async () => {
  const { key } = await pausedRun();
  await pool().query("UPDATE migrations SET status = 'undoing' WHERE id = $1", [key.migrationId]);
  const access = { ext_instance_url: org.instanceUrl, ext_access_token: await newToken() };
  const again = execute(reconnectMigration, context, { migration_id: key.migrationId, ...access });
  await expect(again).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("(status `undoing`)"),
  });
});

test("a host that is not one of Salesforce, and names no org, is not taken for the moved one", async () => {
  const answers: Record<string, unknown> = { "/services/data/": [{ version: "67.0" }], "/services/data/v67.0": {} };
  const nameless = await startHost(({ url = "" }, response) => {
    const answer = answers[url] ?? { totalSize: 0, done: true, records: [] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const { key } = await pausedRun();
  const input = { migration_id: key.migrationId, ext_access_token: "token", ext_instance_url: nameless };
  await expect(execute(reconnectMigration, context, input)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(`Nothing but ${nameless} itself says`),
  });
  const stored = await pool().query("SELECT ext_instance_url FROM connections WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(stored.rows).toEqual([{ ext_instance_url: former }]);
  expect(await finishedOf(key)).toMatchObject({ status: "paused" });
});
