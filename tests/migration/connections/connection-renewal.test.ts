import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { askOrg } from "@/lib/migration/connections/ask-org";
import { openToken, sealToken } from "@/lib/migration/connections/stored-connection";
import type { RunKey } from "@/lib/migration/migration-schema";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { refreshTokens } from "@/lib/salesforce/oauth";
import { query } from "@/lib/salesforce/query";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { setStatus } from "@/tests/migration/support/ready-migration";
import { createMigration, finishedOf } from "@/tests/migration/support/run-migration";
import { expectWhole } from "@/tests/migration/support/stopped-runs";
import { openConnection, startRun, workSlice } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let context: Context;
let connectionId: string;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK], rotateRefreshTokens: true });
});

afterAll(() => org.stop());

beforeEach(async () => {
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  context = await createContext();
  recordJobs();
  const api = new MigrationApi(await createAccessToken(context));
  connectionId = connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
  await org.resetStats();
});

afterEach(() => org.setRules([]));

function open(): Promise<SalesforceClient> {
  return openConnection(context.organizationId, connectionId);
}

async function count(client: SalesforceClient): Promise<number> {
  return (await query(client, "SELECT Id FROM Account LIMIT 1")).totalSize;
}

async function renewals(): Promise<number> {
  const { requests } = await org.stats();
  return requests["POST /services/oauth2/token"] ?? 0;
}

async function stored(): Promise<unknown[]> {
  return (
    await pool().query(`SELECT access_token_enc, refresh_token_enc FROM connections WHERE id = $1`, [connectionId])
  ).rows;
}

test("the refresh token is used once, however many requests find the session expired", async () => {
  const clients = await Promise.all([open(), open(), open()]);
  await org.expireSessions();
  const answers = await Promise.all(clients.flatMap((client) => [count(client), count(client), count(client)]));
  expect(answers).toEqual(Array.from({ length: 9 }, () => 1));
  expect(await renewals()).toBe(1);
});

test("new tokens are stored: a later client need not renew them, and can renew again", async () => {
  await org.expireSessions();
  await count(await open());
  expect(await count(await open())).toBe(1);
  expect(await renewals()).toBe(1);
  await org.expireSessions();
  expect(await count(await open())).toBe(1);
  expect(await renewals()).toBe(2);
});

test("when Salesforce refuses the renewal, the error says to connect again, and nothing changes", async () => {
  const before = await stored();
  await org.expireSessions();
  await org.setRules([
    {
      path: "/services/oauth2/token",
      status: 400,
      body: { error: "invalid_grant", error_description: "expired access/refresh token" },
    },
  ]);
  await expect(count(await open())).rejects.toMatchObject({
    code: "source_token_refused",
    message: expect.stringContaining("Connect to the Salesforce org again"),
  });
  await org.setRules([{ path: "/services/oauth2/token", preset: "INACTIVE_USER" }]);
  const inactive = { code: "source_token_refused", message: expect.stringContaining("inactive") };
  await expect(count(await open())).rejects.toMatchObject(inactive);
  // Of an object that the user may not see, this would find nothing, and the run would go on without it.
  const read = { from: "Account", key: "Id", fields: [] };
  await expect(readByIds(await open(), read, ["001000000000001AAA"])).rejects.toMatchObject(inactive);
  expect(await stored()).toEqual(before);
});

test("a run whose user becomes inactive pauses, and nothing is left out when the user is active again", async () => {
  const key = await createMigration(["Account", "Contact"], undefined, context.organizationId);
  await pool().query("UPDATE migrations SET connection_id = $2 WHERE id = $1", [key.migrationId, connectionId]);
  const run = await transaction((tx) => startRun(tx, key));
  await workSlice(run, openConnection, 0);
  await org.expireSessions();
  await org.setRules([{ path: "/services/oauth2/token", preset: "INACTIVE_USER" }]);
  await workToPause(run);
  expect(await finishedOf(key)).toMatchObject({
    status: "paused",
    failure: { code: "source_token_refused", detail: expect.stringContaining("inactive") },
  });
  await org.setRules([]);
  await setStatus(key.migrationId, "running");
  await workToPause(run);
  expectWhole(await finishedOf(key));
});

/** Works on a run until it pauses or ends. */
async function workToPause(run: RunKey): Promise<void> {
  let outcome: unknown = "more";
  while (outcome === "more") outcome = await workSlice(run, openConnection, 0);
}

/** Lets the next renewal wait for Salesforce, and returns its answer when the renewal has begun. */
async function beginRenewal(): Promise<Promise<number>[]> {
  await org.expireSessions();
  await org.setRules([{ path: "/services/oauth2/token", times: 1, delayMs: 2000 }]);
  const answer = open().then(count);
  answer.catch(() => undefined);
  const waiting =
    "SELECT backend_xid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
  // A transaction with a number holds up the events feed of every organization.
  let transactions: unknown[] = [];
  await expect.poll(async () => (transactions = (await pool().query(waiting)).rows)).toHaveLength(1);
  expect(transactions).toEqual([{ backend_xid: null }]);
  return [answer];
}

/** Breaks the connection of the renewal that waits for Salesforce, as a restart of PostgreSQL does. */
async function breakConnection(): Promise<void> {
  const ended = await pool().query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  expect(ended.rowCount).toBe(1);
}

test("new tokens are stored although the database breaks the connection while Salesforce is asked", async () => {
  const [answer] = await beginRenewal();
  await breakConnection();
  expect(await answer).toBe(1);
  await org.expireSessions();
  expect(await count(await open())).toBe(1);
  expect(await renewals()).toBe(2);
});

/** Lets each change of a connection fail with this code of PostgreSQL. */
async function failToStore(code: string): Promise<void> {
  await pool().query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'in trouble' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON connections FOR EACH ROW EXECUTE FUNCTION fail()`);
}

test("new tokens that cannot be stored are revoked, since nobody else knows them", async () => {
  const before = await stored();
  await failToStore("P0001");
  await org.expireSessions();
  await expect(open().then(count)).rejects.toThrow("in trouble");
  await pool().query("DROP TRIGGER fail ON connections; DROP FUNCTION fail");
  expect(await stored()).toEqual(before);
  expect((await org.stats()).requests["POST /services/oauth2/revoke"]).toBe(1);
});

test("tokens are not revoked while the database is away, because it may have stored them", async () => {
  await failToStore("53100");
  await org.expireSessions();
  await expect(open().then(count)).rejects.toThrow("in trouble");
  await pool().query("DROP TRIGGER fail ON connections; DROP FUNCTION fail");
  expect((await org.stats()).requests["POST /services/oauth2/revoke"]).toBeUndefined();
}, 40_000);

test("while Salesforce has not answered a renewal, the events feed waits for nothing", async () => {
  const [answer] = await beginRenewal();
  expect(await answer).toBe(1);
});

test("a renewal that is refused because a release before this one renews takes the token that it stores", async () => {
  const key = { organizationId: context.organizationId, connectionId };
  const [{ rows }, client] = [
    await pool().query<{ login_url: string; refresh_token_enc: Buffer }>("SELECT * FROM connections WHERE id = $1", [
      connectionId,
    ]),
    await pool().connect(),
  ];
  await org.expireSessions();
  try {
    await client.query("BEGIN");
    await client.query("SELECT FROM connections WHERE id = $1 FOR UPDATE", [connectionId]);
    const app = { clientId: org.clientId, clientSecret: org.clientSecret };
    const refreshToken = openToken(key, "refresh_token_enc", rows[0]?.refresh_token_enc ?? null);
    const tokens = await refreshTokens(rows[0]?.login_url ?? "", app, refreshToken);
    const answer = open().then(count);
    answer.catch(() => undefined);
    await untilLockWaits(1);
    const { access_token: access, refresh_token: refresh = "" } = tokens;
    await client.query("UPDATE connections SET access_token_enc = $2, refresh_token_enc = $3 WHERE id = $1", [
      connectionId,
      sealToken(key, "access_token_enc", access),
      sealToken(key, "refresh_token_enc", refresh),
    ]);
    await client.query("COMMIT");
    expect(await answer).toBe(1);
    expect(await renewals()).toBe(2);
  } finally {
    client.release(true);
  }
});

test("when the org is disconnected during a renewal, the new tokens are revoked and not stored", async () => {
  const [answer] = await beginRenewal();
  await pool().query("UPDATE connections SET access_token_enc = NULL, refresh_token_enc = NULL WHERE id = $1", [
    connectionId,
  ]);
  await expect(answer).rejects.toMatchObject({
    code: "source_token_refused",
    message: expect.stringContaining("disconnected"),
  });
  expect(await stored()).toEqual([{ access_token_enc: null, refresh_token_enc: null }]);
  expect((await org.stats()).requests["POST /services/oauth2/revoke"]).toBe(1);
});

test.each([
  ["an HTML page with 503", { status: 503, body: "<html>Down for maintenance</html>" }],
  ["an OAuth error with 500", { status: 500, body: { error: "server_error", error_description: "try again" } }],
  ["too many requests", { status: 429, body: { error: "constructor" }, headers: { "retry-after": "1" } }],
])("a renewal that meets an outage, %s, is repeated", async (_, outage) => {
  await org.expireSessions();
  await org.setRules([{ path: "/services/oauth2/token", times: 1, ...outage }]);
  expect(await count(await open())).toBe(1);
  expect(await renewals()).toBe(2);
});

test("an outage of the endpoint for tokens that lasts is an outage, and not a refusal", async () => {
  await org.expireSessions();
  await org.setRules([{ path: "/services/oauth2/token", status: 503, body: "<html>Down for maintenance</html>" }]);
  const client = await openConnection(context.organizationId, connectionId, { retry: { retries: 0 } });
  await expect(count(client)).rejects.toMatchObject({
    code: "source_error",
    transient: true,
    message: expect.stringContaining("not available at the moment (HTTP 503)"),
  });
});

test("a connection by access token ends with the token", async () => {
  await pool().query(`UPDATE connections SET refresh_token_enc = NULL, login_url = NULL WHERE id = $1`, [connectionId]);
  await org.expireSessions();
  await expect(count(await open())).rejects.toMatchObject({
    code: "source_token_refused",
    message: expect.stringContaining("sign in at Salesforce"),
  });
  expect(await renewals()).toBe(0);
});

test("who asks an org by a sign-in that is no longer set up gets no answer, and the reason", async () => {
  const { organizationId, userId } = context;
  const migrationId = newId();
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status)
     VALUES ($1, $2, now(), now(), $3, $4, 'ready')`,
    [organizationId, migrationId, connectionId, userId],
  );
  await org.expireSessions();
  Object.assign(env, { SALESFORCE_CLIENT_ID: undefined, SALESFORCE_CLIENT_SECRET: undefined });
  const asked = await inOrganization(organizationId, () => askOrg(organizationId, migrationId, count));
  expect(asked).toEqual({ answer: null, because: expect.stringContaining("set SALESFORCE_CLIENT_ID and") });
});

test("another organization cannot open the connection", async () => {
  const { organizationId } = await createContext();
  await expect(openConnection(organizationId, connectionId)).rejects.toMatchObject({ code: "not_found" });
});
