import { beforeEach, expect, test } from "vitest";

import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { analyze, reportOf } from "@/tests/migration/support/analyze-org";
import { problemIn } from "@/tests/migration/support/api-service";
import { useSandboxApi } from "@/tests/migration/support/sandbox-api";
import { pool } from "@/tests/support/owner";

interface User {
  Id: string;
  Username: string;
}

const here = useSandboxApi();
let org: string;
let me: User;
let other: User;

beforeEach(async () => {
  const client = openClient({
    instanceUrl: here.org.instanceUrl,
    accessToken: here.org.accessToken,
    apiVersion: "67.0",
  });
  const { text } = await client.request(client.dataPath);
  const [organization, user] = (JSON.parse(text) as { identity: string }).identity.split("/").slice(-2);
  org = String(organization);
  const users = (await query(client, "SELECT Id, Username FROM User WHERE IsActive = true ORDER BY Id"))
    .records as unknown as User[];
  const [mine, ...others] = users.toSorted((a) => (a.Id === user ? -1 : 1));
  if (!mine || !others[0]) throw new Error("The sandbox org has too few users.");
  [me, other] = [mine, others[0]];
});

/** Makes the access token one of another user. */
function becomeOther(): Promise<void> {
  const body = { identity: `${here.org.instanceUrl}/id/${org}/${other.Id}` };
  return here.org.setRules([{ pathPattern: "^/services/data/v[0-9.]+$", status: 200, body }]);
}

async function connect(
  body: object = { ext_instance_url: here.org.instanceUrl, ext_access_token: here.org.accessToken },
): Promise<string> {
  const answer = await here.api.post("/migration/analyze", body);
  expect(answer.status).toBe(202);
  const migrationId = String(answer.body.migration_id);
  await analyze({ organizationId: here.organizationId, migrationId });
  return migrationId;
}

async function connectionOf(migrationId: string): Promise<string> {
  const found = await pool().query<{ connection_id: string }>(`SELECT connection_id FROM migrations WHERE id = $1`, [
    migrationId,
  ]);
  return String(found.rows[0]?.connection_id);
}

test("a report names the Salesforce user that it was made as", async () => {
  const migrationId = await connect();
  expect((await reportOf({ organizationId: here.organizationId, migrationId })).analyzed_as).toEqual({
    user_id: me.Id,
    username: me.Username,
  });
});

test("a connection as another user leaves earlier migrations theirs", async () => {
  const earlier = await connect();
  await becomeOther();
  const latest = await connect();
  expect(await connectionOf(latest)).not.toBe(await connectionOf(earlier));
  expect((await here.api.post("/migration/run", { migration_id: earlier })).status).toBe(202);
});

test("a migration whose connection is now of another user is not run, and says what to do", async () => {
  const migrationId = await connect();
  const connection_id = await connectionOf(migrationId);
  await becomeOther();
  const newer = await connect({ connection_id });
  const refused = problemIn(await here.api.post("/migration/run", { migration_id: migrationId }));
  expect(refused).toMatchObject({ status: 409, code: "conflict" });
  expect(refused.detail).toContain(`was made as the Salesforce user ${me.Username}`);
  expect(refused.detail).toMatch(new RegExp(`is now connected as ${other.Username},.*Analyze again`));
  expect((await here.api.get(`/migration/${migrationId}`)).body).toMatchObject({
    status: "ready",
    run_number: 0,
    run_kind: "full",
    objects: [],
  });
  expect((await here.api.post("/migration/run", { migration_id: newer })).status).toBe(202);
});

test("a renamed user counts as the same", async () => {
  const migrationId = await connect();
  await pool().query(`UPDATE connections SET source_username = 'renamed@pumps.example' WHERE organization_id = $1`, [
    here.organizationId,
  ]);
  expect((await here.api.post("/migration/run", { migration_id: migrationId })).status).toBe(202);
});

test("if Salesforce does not name the user, the migration runs", async () => {
  const migrationId = await connect();
  await pool().query(
    `UPDATE connections SET source_user_id = NULL, source_username = NULL WHERE organization_id = $1`,
    [here.organizationId],
  );
  expect((await here.api.post("/migration/run", { migration_id: migrationId })).status).toBe(202);
});
