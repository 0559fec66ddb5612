import { describe, expect, onTestFinished, test } from "vitest";

import { newId } from "@/lib/ids";
import { purgeConnections } from "@/lib/migration/connections/supersede-connections";
import { countStored, MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { useSandboxApi } from "@/tests/migration/support/sandbox-api";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

const here = useSandboxApi();

function sandbox(overrides: object = {}): { ext_instance_url: string; ext_access_token: string } {
  return { ext_instance_url: here.org.instanceUrl, ext_access_token: here.org.accessToken, ...overrides };
}

test("an org that answers is analyzed: one connection with an encrypted token, one migration, one job", async () => {
  const { status, body } = await here.api.post("/migration/analyze", sandbox());
  expect(status).toBe(202);
  expect(body).toMatchObject({
    status: "analyzing",
    ext_instance_url: here.org.instanceUrl,
    objects: [],
    run_number: 0,
    run_kind: "full",
    reconciled: null,
    failure: null,
  });
  expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 1 });
  const [job, ...others] = here.jobs.asked;
  expect(others).toEqual([]);
  expect(job).toMatchObject({
    name: "migration/analyze.requested",
    data: { organization_id: here.organizationId, migration_id: body.migration_id },
  });
  const row = (await pool().query(`SELECT * FROM connections WHERE organization_id = $1`, [here.organizationId]))
    .rows[0] as Record<string, unknown>;
  expect(row).toMatchObject({
    source_org_id: expect.stringMatching(/^00D\w{15}$/),
    source_username: expect.stringContaining("@"),
  });
  expect(JSON.stringify(row)).not.toContain(here.org.accessToken);
  expect((row.access_token_enc as Buffer).includes(here.org.accessToken)).toBe(false);
  expect(JSON.stringify(body)).not.toContain(here.org.accessToken);
  expect((await here.api.get(`/migration/${body.migration_id as string}`)).body).toEqual(body);
});

test("connecting again gives the new access token to earlier migrations of the org", async () => {
  const earlier = (await here.api.post("/migration/analyze", sandbox())).body.migration_id as string;
  await pool().query(`UPDATE migrations SET status = 'failed' WHERE id = $1`, [earlier]);
  const latest = (await here.api.post("/migration/analyze", sandbox())).body.migration_id as string;
  const found = await pool().query(
    `SELECT count(DISTINCT connection_id)::int AS connections FROM migrations WHERE id IN ($1, $2)`,
    [earlier, latest],
  );
  expect(found.rows).toEqual([{ connections: 1 }]);
});

test("the address may be pasted with a path behind it", async () => {
  const { status, body } = await here.api.post(
    "/migration/analyze",
    sandbox({ ext_instance_url: ` ${here.org.instanceUrl}/lightning/page/home ` }),
  );
  expect(status).toBe(202);
  expect(body.ext_instance_url).toBe(here.org.instanceUrl);
});

test("while the job engine is away, an analysis is accepted, says that it waits, and starts later", async () => {
  here.jobs.failWith(new Error("The engine is away."));
  const { status, body } = await here.api.post("/migration/analyze", sandbox());
  expect([status, body]).toEqual([
    202,
    expect.objectContaining({
      status: "analyzing",
      failure: null,
      waiting: expect.objectContaining({ for: "job_engine", reason: expect.stringContaining("goes on by itself") }),
    }),
  ]);
  const id = String(body.migration_id);
  here.jobs.failWith(null);
  await here.jobs.sendWaiting();
  expect(here.jobs.asked).toMatchObject([{ name: "migration/analyze.requested", id: `analyze-${id}` }]);
  expect((await here.api.get(`/migration/${id}`)).body).toMatchObject({ waiting: null });
});

describe("a stored connection", () => {
  test("can be analyzed again", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [
      here.organizationId,
    ]);
    const { status } = await here.api.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(status).toBe(202);
    expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 2 });
  });

  test("of another organization does not exist", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [
      here.organizationId,
    ]);
    const stranger = new MigrationApi(await createAccessToken(await createContext()));
    const answer = await stranger.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(problemIn(answer)).toMatchObject({ status: 404, code: "not_found" });
  });

  test("whose token has expired meanwhile is refused, and no migration is stored", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [
      here.organizationId,
    ]);
    await here.org.setRules([{ pathPattern: "^/services/data/v", preset: "INVALID_SESSION_ID" }]);
    const answer = await here.api.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(problemIn(answer)).toMatchObject({ status: 422, code: "source_token_refused" });
    expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 1 });
  });
});

describe("a body that is no way into an org", () => {
  test.each([
    ["nothing", {}],
    ["an address alone", { ext_instance_url: "https://acme.my.salesforce.com" }],
    ["a token alone", { ext_access_token: "00D!x" }],
    ["a connection and an address", { connection_id: newId(), ext_instance_url: "https://acme.my.salesforce.com" }],
    [
      "a field that is not known",
      { ext_instance_url: "https://acme.my.salesforce.com", ext_access_token: "00D!x", acces_token: "00D!x" },
    ],
  ])("%s", async (_what, body) => {
    expect(problemIn(await here.api.post("/migration/analyze", body))).toMatchObject({
      status: 400,
      code: "invalid_request",
    });
    expect(await countStored(here.organizationId)).toEqual({ connections: 0, migrations: 0 });
  });

  test.each([
    ["no JSON", "{", "application/json", 400, "invalid_body"],
    ["a list", "[]", "application/json", 400, "invalid_body"],
    ["nothing at all", "", "application/json", 400, "invalid_body"],
    ["a form", "ext_instance_url=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"],
    [
      "two megabytes",
      JSON.stringify({ ext_access_token: "x".repeat(2_000_000) }),
      "application/json",
      413,
      "payload_too_large",
    ],
  ])("%s", async (_what, body, type, status, code) => {
    expect(problemIn(await here.api.send("POST", "/migration/analyze", body, type))).toMatchObject({ status, code });
  });
});

test("the scope crm:read does not allow an analysis", async () => {
  const reader = new MigrationApi(
    await createAccessToken(await createContext({ organizationId: here.organizationId, scopes: ["crm:read"] })),
  );
  expect(problemIn(await reader.post("/migration/analyze", sandbox()))).toMatchObject({
    status: 403,
    code: "insufficient_scope",
  });
  expect(problemIn(await new MigrationApi(null).post("/migration/analyze", sandbox()))).toMatchObject({
    status: 401,
    code: "unauthenticated",
  });
  expect(await countStored(here.organizationId)).toEqual({ connections: 0, migrations: 0 });
});

test("an organization can have at most twenty analyses under way, however old they are", async () => {
  await here.api.post("/migration/analyze", sandbox());
  const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [
    here.organizationId,
  ]);
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status)
     SELECT organization_id, gen_random_uuid(), created_at - interval '30 hours', updated_at, connection_id,
       created_by_id, status
     FROM migrations, generate_series(1, 18)
     WHERE organization_id = $1`,
    [here.organizationId],
  );
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => here.api.post("/migration/analyze", { connection_id: rows[0]?.id })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 429, 429]);
  expect(answers.map(problemIn).find(({ status }) => status === 429)).toMatchObject({
    code: "too_many_requests",
    detail: expect.stringMatching(/^20 analyses of this organization are under way/),
  });
  expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 20 });
  await pool().query(
    `UPDATE migrations SET status = 'ready' WHERE id = (SELECT id FROM migrations WHERE organization_id = $1 LIMIT 1)`,
    [here.organizationId],
  );
  expect((await here.api.post("/migration/analyze", { connection_id: rows[0]?.id })).status).toBe(202);
});

interface Begun {
  migrationId: string;
  connectionId: string;
}

async function begin(): Promise<Begun> {
  const { status, body } = await here.api.post("/migration/analyze", sandbox());
  expect(status).toBe(202);
  const migrationId = String(body.migration_id);
  return { migrationId, connectionId: await connectionOf(migrationId) };
}

async function connectionOf(migrationId: string): Promise<string> {
  const { rows } = await pool().query<{ connection_id: string }>("SELECT connection_id FROM migrations WHERE id = $1", [
    migrationId,
  ]);
  return rows[0]?.connection_id ?? "";
}

async function hasAccess(connectionId: string): Promise<boolean> {
  return (
    (await pool().query("SELECT FROM connections WHERE id = $1 AND access_token_enc IS NOT NULL", [connectionId]))
      .rowCount === 1
  );
}

test("an analysis starts even if earlier connections cannot be ended, which the purge repeats", async () => {
  const first = await begin();
  await pool().query("UPDATE migrations SET status = 'completed' WHERE id = $1", [first.migrationId]);
  const kept = `ADD CONSTRAINT kept CHECK (id <> '${first.migrationId}' OR connection_id = '${first.connectionId}')`;
  await pool().query(`ALTER TABLE migrations ${kept}`);
  onTestFinished(async () => void (await pool().query("ALTER TABLE migrations DROP CONSTRAINT IF EXISTS kept")));
  const second = await begin();
  await pool().query("ALTER TABLE migrations DROP CONSTRAINT kept");
  expect(await connectionOf(first.migrationId)).toBe(first.connectionId);
  await purgeConnections();
  expect(await connectionOf(first.migrationId)).toBe(second.connectionId);
  expect(await hasAccess(first.connectionId)).toBe(false);
});

test("a connection that a migration starts to use keeps its tokens; one that the purge ends is refused", async () => {
  const { migrationId, connectionId } = await begin();
  await pool().query("UPDATE connections SET created_at = now() - interval '25 hours' WHERE id = $1", [connectionId]);
  // The purge finds an unused connection, and waits for the migration that starts to use it.
  const holder = await pool().connect();
  onTestFinished(() => holder.release(true));
  const { rows } = await pool().query<{ migration: object }>(
    "DELETE FROM migrations m WHERE id = $1 RETURNING to_json(m) AS migration",
    [migrationId],
  );
  await holder.query("BEGIN");
  await holder.query("INSERT INTO migrations SELECT * FROM json_populate_record(NULL::migrations, $1)", [
    rows[0]?.migration,
  ]);
  const purging = purgeConnections();
  await untilLockWaits(1);
  await holder.query("COMMIT");
  await purging;
  expect(await hasAccess(connectionId)).toBe(true);
  await holder.query("BEGIN");
  await holder.query("UPDATE connections SET access_token_enc = NULL WHERE id = $1", [connectionId]);
  await holder.query("SELECT FROM connections WHERE id = $1 FOR UPDATE", [connectionId]);
  const analyzing = here.api.post("/migration/analyze", { connection_id: connectionId });
  await untilLockWaits(1);
  await holder.query("COMMIT");
  expect(problemIn(await analyzing)).toMatchObject({ status: 422, code: "source_token_refused" });
});
