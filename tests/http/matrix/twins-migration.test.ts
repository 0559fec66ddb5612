import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { env } from "@/lib/env";
import { encrypt } from "@/lib/security/crypto";
import { MigrationApi, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { openMigrationSource } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";
import { restartWebs } from "@/tests/http/support/two-webs";
import { stateOf } from "@/tests/http/matrix/support/kept";
import type { Populated } from "@/tests/http/matrix/support/populated";
import { createTwins } from "@/tests/http/matrix/support/twins";

let org: RunningOrg;
let ours: Populated;
let theirs: Populated;
/** Of four migrations, which both organizations have: the first one is the one of {@link Populated}. */
let migrations: { id: string; connection_id: string }[];

beforeAll(async () => {
  recordJobs();
  org = await startSandboxOrg({ records: 20, redirectUris: [CALLBACK], rotateRefreshTokens: true });
  const settings = { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret };
  Object.assign(env, settings);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  await restartWebs();
});
afterAll(() => org.stop());

beforeEach(async () => {
  ({ ours, theirs } = await createTwins());
  migrations = await migrationsOf(ours);
  const { rows } = await pool().query<{ organization_id: string; id: string }>(
    "SELECT organization_id, id FROM connections",
  );
  for (const { organization_id, id } of rows) {
    const token = encrypt(["connections.access_token_enc", organization_id, id], org.accessToken);
    const text =
      "UPDATE connections SET ext_instance_url = $3, access_token_enc = $4 WHERE organization_id = $1 AND id = $2";
    await pool().query(text, [organization_id, id, org.instanceUrl, token]);
  }
});

async function migrationsOf({ organizationId }: Populated) {
  const text = "SELECT id, connection_id FROM migrations WHERE organization_id = $1 ORDER BY id LIMIT 4";
  return (await pool().query<{ id: string; connection_id: string }>(text, [organizationId])).rows;
}

async function describeConnection(
  { organizationId }: Populated,
  index: number,
  described: { org?: unknown; user?: unknown },
): Promise<void> {
  const text = "UPDATE connections SET source_org_id = $3, source_user_id = $4 WHERE organization_id = $1 AND id = $2";
  await pool().query(text, [organizationId, migrations[index]?.connection_id, described.org, described.user]);
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const before = await stateOf(theirs);
  const { status, text } = await callRoute("POST", path, ours.bearer, body);
  expect({ status, text }).toMatchObject({ status: 202 });
  expect(await stateOf(theirs)).toEqual(before);
  return JSON.parse(text) as Record<string, unknown>;
}

test("a renewed connection is used only by our own earlier migrations of the same org", async () => {
  const [other, same, again] = [0, 1, 2];
  const { connection_id } = migrations[again] ?? {};
  await post("/migration/analyze", { connection_id });
  const found = await pool().query<{ org: string; user: string }>(
    "SELECT source_org_id AS org, source_user_id AS user FROM connections WHERE organization_id = $1 AND id = $2",
    [ours.organizationId, connection_id],
  );
  const real = found.rows[0] ?? { org: "", user: "" };
  expect(real.org).toMatch(/^00D/);
  const elsewhere = { ...real, org: "00D000000000000AAA" };
  await describeConnection(ours, other, elsewhere);
  await describeConnection(ours, same, real);
  await describeConnection(theirs, other, real);
  await describeConnection(theirs, again, elsewhere);
  await describeConnection(theirs, same, real);
  const before = migrations;
  await post("/migration/analyze", { connection_id });
  const after = await migrationsOf(ours);
  expect(after.map((each) => each.connection_id)).toEqual([0, 2, 2, 3].map((index) => before[index]?.connection_id));
});

test("a run compares the Salesforce user with that of our own connection", async () => {
  const analyzed_as = { user_id: "005000000000001AAA", username: null };
  await pool().query("UPDATE migrations SET report = report || $1::jsonb", [{ analyzed_as }]);
  await describeConnection(theirs, 0, { user: "005000000000002AAA" });
  await describeConnection(ours, 0, { user: analyzed_as.user_id });
  expect(await post("/migration/run", { migration_id: ours.migration })).toMatchObject({ status: "running" });
});

test("an access token is renewed with our own connection's refresh token, and stored there only", async () => {
  const api = new MigrationApi(ours.bearer.authorization?.replace("Bearer ", "") ?? "");
  const connection_id = connectionIn(
    await comeBack(await decide(await beginSignIn(api, org.instanceUrl)), ours.context),
  );
  const copy = `
    INSERT INTO connections
    SELECT (jsonb_populate_record(c, jsonb_build_object('organization_id', $2::text, 'refresh_token_enc', NULL))).*
    FROM connections c WHERE id = $1`;
  await pool().query(copy, [connection_id, theirs.organizationId]);
  // Ours comes last in the table, and is what a statement would take second.
  await pool().query("UPDATE connections SET updated_at = now() WHERE organization_id = $1 AND id = $2", [
    ours.organizationId,
    connection_id,
  ]);
  await org.expireSessions();
  expect(await post("/migration/analyze", { connection_id })).toMatchObject({ status: "analyzing" });
});

test("the jobs of a migration read the org of its own connection", async () => {
  const [own, other] = migrations;
  const point = "UPDATE migrations SET connection_id = $3 WHERE organization_id = $1 AND id = $2";
  const move = `UPDATE connections SET ext_instance_url = 'https://another.my.salesforce.com' WHERE organization_id = $1
      AND id = $2`;
  await pool().query(point, [theirs.organizationId, own?.id, other?.connection_id]);
  await pool().query(move, [ours.organizationId, other?.connection_id]);
  // Ours comes last in the table, and is what a statement would take second.
  await pool().query(point, [ours.organizationId, own?.id, own?.connection_id]);
  const { origin } = await openMigrationSource({ organizationId: ours.organizationId, migrationId: own?.id ?? "" });
  expect(origin).toBe(org.instanceUrl);
});

test("a run that is refused names the state of our own migration", async () => {
  await pool().query("UPDATE migrations SET status = 'analyzing' WHERE organization_id = $1", [theirs.organizationId]);
  await pool().query("UPDATE migrations SET status = 'paused' WHERE organization_id = $1", [ours.organizationId]);
  const { status, text } = await callRoute("POST", "/migration/run", ours.bearer, { migration_id: ours.migration });
  expect(status).toBe(409);
  expect(text).toContain("`paused`");
  expect(text).not.toContain("analyzing");
});
