import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { supersedeConnections, purgeConnections } from "@/lib/migration/connections/supersede-connections";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let context: Context;
let api: MigrationApi;

beforeAll(async () => {
  // Each revocation of a sign-in would end the access token of the org as well.
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK], keepAccessToken: true });
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  return () => org.stop();
});
afterAll(() => void Object.assign(env, { SALESFORCE_CLIENT_ID: undefined, SALESFORCE_CLIENT_SECRET: undefined }));

beforeEach(async () => {
  recordJobs();
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
  await org.resetStats();
});

interface Begun {
  migrationId: string;
  connectionId: string;
}

const byToken = () => analyze({ ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken });

async function bySignIn(): Promise<string> {
  return connectionIn(await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), context));
}

/** Begins a migration, and lets its analysis end. */
async function analyze(body: object, status = "completed"): Promise<Begun> {
  const answer = await api.post("/migration/analyze", body);
  expect(answer.status).toBe(202);
  const migrationId = String(answer.body.migration_id);
  await set(migrationId, status);
  return { migrationId, connectionId: await connectionOf(migrationId) };
}

function set(migrationId: string, status: string, failure: object | null = null) {
  return pool().query(
    "UPDATE migrations SET status = $2::migration_status, failure = $3, run_number = 1 WHERE id = $1",
    [migrationId, status, failure],
  );
}

async function connectionOf(migrationId: string): Promise<string> {
  const found = await pool().query<{ connection_id: string }>("SELECT connection_id FROM migrations WHERE id = $1", [
    migrationId,
  ]);
  return found.rows[0]?.connection_id ?? "";
}

async function statusOf(migrationId: string): Promise<unknown> {
  return (await api.get(`/migration/${migrationId}`)).body.status;
}

/** Which tokens a connection has. */
async function accessOf(connectionId: string): Promise<unknown> {
  const { rows } = await pool().query(
    `SELECT access_token_enc IS NOT NULL AS token, refresh_token_enc IS NOT NULL AS renewable FROM connections
     WHERE id = $1`,
    [connectionId],
  );
  return rows[0];
}

const RENEWABLE = { token: true, renewable: true };
const NOT_RENEWABLE = { token: true, renewable: false };
const ENDED = { token: false, renewable: false };

async function revocations(): Promise<number> {
  return (await org.stats()).requests["POST /services/oauth2/revoke"] ?? 0;
}

function end(connectionId: string) {
  const text = "UPDATE connections SET access_token_enc = NULL, refresh_token_enc = NULL WHERE id = $1";
  return pool().query(text, [connectionId]);
}

function supersede(connectionId: string): Promise<string[]> {
  return inOrganization(context.organizationId, () => supersedeConnections(context.organizationId, connectionId));
}

const REFUSED = { code: "source_token_refused", detail: "Refused.", remedy: "Connect again." };

test("an access token takes no migration from a sign-in, which stays renewable, nor does the purge", async () => {
  const nightly = await analyze({ connection_id: await bySignIn() });
  const pasted = await byToken();
  await purgeConnections();
  expect(await connectionOf(nightly.migrationId)).toBe(nightly.connectionId);
  expect(await connectionOf(pasted.migrationId)).toBe(pasted.connectionId);
  expect(await accessOf(nightly.connectionId)).toEqual(RENEWABLE);
  expect(await accessOf(pasted.connectionId)).toEqual(NOT_RENEWABLE);
  expect(await revocations()).toBe(0);
});

test("an access token ends no sign-in that nobody has used yet", async () => {
  const signedIn = await bySignIn();
  await byToken();
  expect(await accessOf(signedIn)).toEqual(RENEWABLE);
});

test("what paused because a sign-in was refused, or has lost it, goes on with an access token", async () => {
  const refused = await analyze({ connection_id: await bySignIn() });
  await set(refused.migrationId, "paused", REFUSED);
  const pasted = await byToken();
  expect(await connectionOf(refused.migrationId)).toBe(pasted.connectionId);
  expect(await statusOf(refused.migrationId)).toBe("running");

  const ended = await analyze({ connection_id: await bySignIn() });
  await end(ended.connectionId);
  const again = await byToken();
  expect(await connectionOf(ended.migrationId)).toBe(again.connectionId);
});

test("a sign-in takes the migrations of an access token and of an earlier sign-in", async () => {
  const first = await analyze({ connection_id: await bySignIn() });
  const pasted = await byToken();
  const newest = await bySignIn();
  expect(await connectionOf(first.migrationId)).toBe(newest);
  expect(await connectionOf(pasted.migrationId)).toBe(newest);
  expect([await accessOf(first.connectionId), await accessOf(pasted.connectionId)]).toEqual([ENDED, ENDED]);
});

test("of two sign-ins at once, the earlier one ends nothing of the later one", async () => {
  const earlier = await analyze({ connection_id: await bySignIn() }, "running");
  const later = await bySignIn();
  await supersede(earlier.connectionId);
  expect(await accessOf(later)).toEqual(RENEWABLE);
});

test("a connection that has ended meanwhile gets no migration", async () => {
  const first = await analyze({ connection_id: await bySignIn() }, "running");
  const ended = await bySignIn();
  await set(first.migrationId, "completed");
  await end(ended);
  expect(await supersede(ended)).toEqual([]);
  expect(await connectionOf(first.migrationId)).toBe(first.connectionId);
});
