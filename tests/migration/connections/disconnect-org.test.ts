import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { purgeConnectionAttempts } from "@/lib/migration/connections/sign-in";
import { purgeConnections } from "@/lib/migration/connections/supersede-connections";
import { failAnalysis, orgDisconnected } from "@/lib/migration/failure";
import { SalesforceError } from "@/lib/salesforce/errors";
import { query } from "@/lib/salesforce/query";
import { pool } from "@/tests/support/owner";
import { endWithFailure, openConnection } from "@/tests/migration/support/within";
import { idsIn, MigrationApi, problemIn, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";

let org: RunningOrg;
let context: Context;
let api: MigrationApi;

beforeAll(() => void recordJobs());
beforeEach(async () => {
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK] });
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
  return () => org.stop();
});
afterAll(() => void Object.assign(env, { SALESFORCE_CLIENT_ID: undefined, SALESFORCE_CLIENT_SECRET: undefined }));

const byToken = () => analyze({ ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken });

async function bySignIn(): Promise<string> {
  return connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
}

async function analyze(body: object): Promise<{ migrationId: string; connectionId: string }> {
  const { status, body: answer } = await api.post("/migration/analyze", body);
  expect(status).toBe(202);
  const migrationId = String(answer.migration_id);
  return { migrationId, connectionId: await connectionOf(migrationId) };
}

async function connectionOf(migrationId: string): Promise<string> {
  const { rows } = await pool().query<{ connection_id: string }>("SELECT connection_id FROM migrations WHERE id = $1", [
    migrationId,
  ]);
  return rows[0]?.connection_id ?? "";
}

function set(migrationId: string, assignment: string) {
  return pool().query(`UPDATE migrations SET ${assignment} WHERE id = $1`, [migrationId]);
}

const connected = async () => idsIn((await api.get("/migration/connections")).body, "connection_id");
const disconnect = (connectionId: string) => api.post(`/migration/connections/${connectionId}/disconnect`, {});

async function tokensOf(connectionId: string): Promise<unknown[]> {
  const { rows } = await pool().query(
    "SELECT access_token_enc IS NULL AS access, refresh_token_enc IS NULL AS refresh FROM connections WHERE id = $1",
    [connectionId],
  );
  return rows;
}

async function revocations(): Promise<number> {
  return (await org.stats()).requests["POST /services/oauth2/revoke"] ?? 0;
}

async function isAlive(token: string): Promise<boolean> {
  return (
    await fetch(`${org.instanceUrl}/services/data/v67.0/limits`, { headers: { authorization: `Bearer ${token}` } })
  ).ok;
}

async function audited(): Promise<{ action: string; details: Record<string, unknown> }[]> {
  const text =
    "SELECT action, details FROM audit_events WHERE organization_id = $1 AND action LIKE 'org.%' ORDER BY id";
  return (await pool().query<{ action: string; details: Record<string, unknown> }>(text, [context.organizationId]))
    .rows;
}

const GONE = [{ access: true, refresh: true }];
const EMPTY_REPORT = `report = '{"inventory": [{"object": "Account", "status": "automatic"}]}'`;

test("disconnecting deletes the token here and revokes it; migration and report stay", async () => {
  const { migrationId, connectionId } = await byToken();
  await set(migrationId, `status = 'ready', ${EMPTY_REPORT}`);
  expect(await connected()).toEqual([connectionId]);
  expect(await disconnect(connectionId)).toEqual({
    status: 200,
    body: {
      connection_id: connectionId,
      ext_instance_url: org.instanceUrl,
      org_name: expect.any(String),
      migrations_stopped: 0,
      revoked: true,
      not_revoked_because: null,
    },
  });
  expect(await tokensOf(connectionId)).toEqual(GONE);
  expect(await isAlive(org.accessToken)).toBe(false);
  expect(await connected()).toEqual([]);
  expect((await api.get(`/migration/${migrationId}`)).body).toMatchObject({
    status: "ready",
    connected: false,
    org_name: expect.any(String),
  });
  expect((await api.get(`/migration/${migrationId}/report`)).status).toBe(200);
  const run = await api.post("/migration/run", { migration_id: migrationId });
  expect(problemIn(run)).toMatchObject({
    status: 409,
    code: "illegal_state",
    detail: expect.stringContaining("Connect the org again as the same Salesforce user"),
  });
  const again = await api.post("/migration/analyze", { connection_id: connectionId });
  expect(problemIn(again)).toMatchObject({
    status: 422,
    code: "source_token_refused",
    detail: expect.stringContaining("is disconnected"),
  });
  expect(problemIn(await disconnect(connectionId))).toMatchObject({ status: 404 });
});

test("connecting again as the same user makes its earlier migrations run again", async () => {
  const { migrationId, connectionId } = await byToken();
  await set(migrationId, `status = 'completed', ${EMPTY_REPORT}`);
  await org.setRules([{ path: "/services/oauth2/revoke", status: 400, body: { error: "unsupported_token_type" } }]);
  expect((await disconnect(connectionId)).body).toMatchObject({
    revoked: false,
    not_revoked_because: expect.stringContaining("unsupported_token_type"),
  });
  expect(await tokensOf(connectionId)).toEqual(GONE);
  await byToken();
  expect((await api.get(`/migration/${migrationId}`)).body).toMatchObject({ connected: true });
  expect((await api.post("/migration/run", { migration_id: migrationId })).status).toBe(202);
});

test("a refresh token is revoked together with its access tokens", async () => {
  const connectionId = await bySignIn();
  const { migrationId } = await analyze({ connection_id: connectionId });
  const client = await openConnection(context.organizationId, connectionId);
  expect((await disconnect(connectionId)).body).toMatchObject({ revoked: true, migrations_stopped: 1 });
  // Neither the token in the memory of a job nor its renewal opens the org.
  await expect(query(client, "SELECT Id FROM Account LIMIT 1")).rejects.toMatchObject({
    code: "source_token_refused",
    message: expect.stringContaining("disconnected"),
  });
  expect((await api.get(`/migration/${migrationId}`)).body).toMatchObject({
    status: "analysis_failed",
    failure: {
      code: "source_token_refused",
      detail: expect.stringContaining("disconnected"),
      remedy: expect.stringContaining("Connect the Salesforce org again"),
    },
  });
});

test("disconnecting stops a run with a sentence", async () => {
  const { migrationId, connectionId } = await byToken();
  await set(migrationId, `status = 'ready', ${EMPTY_REPORT}`);
  await api.post("/migration/run", { migration_id: migrationId });
  expect((await api.get("/migration/connections")).body).toMatchObject({
    data: [{ connection_id: connectionId, migrations_under_way: 1, renewable: false }],
  });
  expect((await disconnect(connectionId)).body).toMatchObject({ migrations_stopped: 1 });
  expect((await api.get(`/migration/${migrationId}`)).body).toMatchObject({
    status: "failed",
    failure: {
      detail: expect.stringContaining("disconnected"),
      remedy: expect.stringContaining("what has been imported stays"),
    },
  });
});

test.each([
  ["is locked for too long", "55P03", 200],
  ["meets a defect", "XX000", 500],
])("the access is revoked even where stopping a run %s", async (_, code, status) => {
  const { migrationId, connectionId } = await byToken();
  await set(migrationId, `status = 'running', run_number = 1, ${EMPTY_REPORT}`);
  await pool().query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'in trouble' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON migrations FOR EACH ROW EXECUTE FUNCTION fail()`);
  const answer = await disconnect(connectionId);
  await pool().query("DROP TRIGGER fail ON migrations; DROP FUNCTION fail");
  expect([answer.status, await isAlive(org.accessToken)]).toEqual([status, false]);
});

test("the worker does not log as an error that the org of a run or an analysis was disconnected", async () => {
  const { migrationId, connectionId } = await byToken();
  const key = { organizationId: context.organizationId, migrationId };
  await set(migrationId, `status = 'running', run_number = 1, ${EMPTY_REPORT}`);
  await pool().query("UPDATE connections SET access_token_enc = NULL WHERE id = $1", [connectionId]);
  const [info, error] = [vi.spyOn(log, "info"), vi.spyOn(log, "error")];
  // What Salesforce says of an access that was revoked there.
  const refusal = new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  await endWithFailure({ ...key, runNumber: 1 }, refusal, connectionId);
  await set(migrationId, "status = 'analyzing'");
  await inOrganization(key.organizationId, () => failAnalysis(key, orgDisconnected()));
  const names = { migration_id: migrationId, failure_code: "source_token_refused" };
  expect(info.mock.calls).toEqual([
    [{ ...names, run_number: 1 }, "migration ended: the Salesforce org was disconnected"],
    [{ ...names, run_number: undefined }, "analysis ended: the Salesforce org was disconnected"],
  ]);
  expect(error).not.toHaveBeenCalled();
});

test("an org that does not answer is disconnected here, and the answer says that nothing was revoked", async () => {
  const { connectionId } = await byToken();
  await org.stop();
  expect((await disconnect(connectionId)).body).toMatchObject({
    revoked: false,
    not_revoked_because: expect.stringMatching(/\.$/),
  });
  expect(await tokensOf(connectionId)).toEqual(GONE);
});

test("another organization's connection cannot be disconnected, nor is its access to the same org", async () => {
  const { connectionId } = await byToken();
  const other = new MigrationApi(await createAccessToken(await createContext()));
  expect((await other.post(`/migration/connections/${connectionId}/disconnect`, {})).status).toBe(404);
  expect((await other.get("/migration/connections")).body).toMatchObject({ data: [] });
  expect(await isAlive(org.accessToken)).toBe(true);
});

test("a newer connection to the same org deletes the tokens of an earlier one", async () => {
  const first = await analyze({ connection_id: await bySignIn() });
  await set(first.migrationId, "status = 'completed'");
  const second = await analyze({ connection_id: await bySignIn() });
  expect(await connectionOf(first.migrationId)).toBe(second.connectionId);
  expect(await tokensOf(first.connectionId)).toEqual(GONE);
  expect(await revocations()).toBe(1);
  expect(
    (await query(await openConnection(context.organizationId, second.connectionId), "SELECT Id FROM Account LIMIT 1"))
      .totalSize,
  ).toBe(1);
});

test("an access token that is entered again is not revoked", async () => {
  const first = await byToken();
  await set(first.migrationId, "status = 'completed'");
  const second = await byToken();
  expect(await tokensOf(first.connectionId)).toEqual(GONE);
  expect(await revocations()).toBe(0);
  expect(await isAlive(org.accessToken)).toBe(true);
  expect(await connected()).toEqual([second.connectionId]);
});

test("connecting again lets a run keep its tokens until it has ended and the purge comes", async () => {
  const first = await byToken();
  await set(first.migrationId, "status = 'running', run_number = 1");
  const second = await byToken();
  expect(await tokensOf(first.connectionId)).toEqual([{ access: false, refresh: true }]);
  await purgeConnections();
  expect(await connectionOf(first.migrationId)).toBe(first.connectionId);
  await set(first.migrationId, "status = 'completed'");
  await purgeConnections();
  expect(await tokensOf(first.connectionId)).toEqual(GONE);
  expect(await connectionOf(first.migrationId)).toBe(second.connectionId);
  await set(first.migrationId, `status = 'running', connection_id = '${first.connectionId}'`);
  await byToken();
  expect((await disconnect((await connected())[0] ?? "")).body).toMatchObject({ revoked: true });
  expect(await connected()).toEqual([]);
});

test("a connection unused for a day is ended and revoked, and an abandoned sign-in is deleted", async () => {
  const unused = await bySignIn();
  await beginSignIn(api, org.instanceUrl);
  await purgeConnections();
  expect(await tokensOf(unused)).toEqual([{ access: false, refresh: false }]);
  await pool().query("UPDATE connections SET created_at = now() - interval '25 hours' WHERE id = $1", [unused]);
  await pool().query("UPDATE connection_attempts SET expires_at = now() - interval '1 second'");
  await purgeConnections();
  expect(await tokensOf(unused)).toEqual(GONE);
  expect(await revocations()).toBe(1);
  await purgeConnectionAttempts();
  expect((await pool().query("SELECT FROM connection_attempts")).rowCount).toBe(0);
});

test("the audit log records connecting, how, and disconnecting, and contains no token", async () => {
  const { connectionId } = await byToken();
  await disconnect(connectionId);
  const signedIn = await bySignIn();
  const host = new URL(org.instanceUrl).host;
  const [first, second, third] = await audited();
  expect(first).toMatchObject({
    action: "org.connected",
    details: { connection_id: connectionId, host, connected_with: "access_token", username: expect.any(String) },
  });
  expect(second).toMatchObject({ action: "org.disconnected", details: { connection_id: connectionId, host } });
  expect(third).toMatchObject({
    action: "org.connected",
    details: { connection_id: signedIn, connected_with: "salesforce_sign_in" },
  });
  expect(JSON.stringify(await audited())).not.toContain(org.accessToken);
});
