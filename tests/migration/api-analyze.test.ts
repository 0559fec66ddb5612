import { describe, expect, test } from "vitest";

import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { countStored, MigrationApi, problemIn } from "@/tests/migration/api-service";
import { useSandboxApi } from "@/tests/migration/sandbox-api";
import { createAccessToken, createContext } from "@/tests/support/factories";

const here = useSandboxApi();

function sandbox(overrides: object = {}): { instance_url: string; access_token: string } {
  return { instance_url: here.org.instanceUrl, access_token: here.org.accessToken, ...overrides };
}

test("an org that answers is analyzed: one connection with an encrypted token, one migration, one job", async () => {
  const { status, body } = await here.api.post("/migration/analyze", sandbox());
  expect(status).toBe(202);
  expect(body).toMatchObject({ state: "analyzing", instance_url: here.org.instanceUrl, objects: [], run_number: 0, reconciled: null, failure: null });
  expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 1 });
  const [job, ...others] = here.jobs.asked;
  expect(others).toEqual([]);
  expect(job).toMatchObject({
    name: "migration/analyze.requested",
    data: { organization_id: here.organizationId, migration_id: body.migration_id },
  });
  const row = (await pool().query(`SELECT * FROM connections WHERE organization_id = $1`, [here.organizationId])).rows[0] as Record<string, unknown>;
  expect(row).toMatchObject({ source_org_id: expect.stringMatching(/^00D\w{15}$/), source_username: expect.stringContaining("@") });
  expect(JSON.stringify(row)).not.toContain(here.org.accessToken);
  expect((row.access_token_enc as Buffer).includes(here.org.accessToken)).toBe(false);
  expect(JSON.stringify(body)).not.toContain(here.org.accessToken);
  expect((await here.api.get(`/migration/${body.migration_id as string}`)).body).toEqual(body);
});

test("connecting again lends the new access token to the org's earlier migrations, so that they can be run again", async () => {
  const earlier = (await here.api.post("/migration/analyze", sandbox())).body.migration_id as string;
  await pool().query(`UPDATE migrations SET state = 'failed' WHERE id = $1`, [earlier]);
  const latest = (await here.api.post("/migration/analyze", sandbox())).body.migration_id as string;
  const found = await pool().query(`SELECT count(DISTINCT connection_id)::int AS connections FROM migrations WHERE id IN ($1, $2)`, [
    earlier,
    latest,
  ]);
  expect(found.rows).toEqual([{ connections: 1 }]);
});

test("the address may be pasted with a path behind it", async () => {
  const { status, body } = await here.api.post("/migration/analyze", sandbox({ instance_url: ` ${here.org.instanceUrl}/lightning/page/home ` }));
  expect(status).toBe(202);
  expect(body.instance_url).toBe(here.org.instanceUrl);
});

test("when the job cannot be asked for, nothing stays behind", async () => {
  here.jobs.failWith(new Error("The engine is away."));
  const answer = await here.api.post("/migration/analyze", sandbox());
  expect(problemIn(answer)).toMatchObject({ status: 500, code: "internal_error" });
  expect(problemIn(answer).detail).not.toContain("engine");
  expect(await countStored(here.organizationId)).toEqual({ connections: 0, migrations: 0 });
});

describe("a stored connection", () => {
  test("is analyzed anew", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [here.organizationId]);
    const { status } = await here.api.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(status).toBe(202);
    expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 2 });
  });

  test("of another organization does not exist", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [here.organizationId]);
    const stranger = new MigrationApi(await createAccessToken(await createContext()));
    const answer = await stranger.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(problemIn(answer)).toMatchObject({ status: 404, code: "not_found" });
  });

  test("whose token has expired meanwhile is refused, and no migration is stored", async () => {
    await here.api.post("/migration/analyze", sandbox());
    const { rows } = await pool().query<{ id: string }>(`SELECT id FROM connections WHERE organization_id = $1`, [here.organizationId]);
    await here.org.setRules([{ pathPattern: "^/services/data/v", preset: "INVALID_SESSION_ID" }]);
    const answer = await here.api.post("/migration/analyze", { connection_id: rows[0]?.id });
    expect(problemIn(answer)).toMatchObject({ status: 422, code: "source_token_refused" });
    expect(await countStored(here.organizationId)).toEqual({ connections: 1, migrations: 1 });
  });
});

describe("a body that is no way into an org", () => {
  test.each([
    ["nothing", {}],
    ["an address alone", { instance_url: "https://acme.my.salesforce.com" }],
    ["a token alone", { access_token: "00D!x" }],
    ["a connection and an address", { connection_id: newId(), instance_url: "https://acme.my.salesforce.com" }],
    ["a field that is not known", { instance_url: "https://acme.my.salesforce.com", access_token: "00D!x", acces_token: "00D!x" }],
  ])("%s", async (_what, body) => {
    expect(problemIn(await here.api.post("/migration/analyze", body))).toMatchObject({ status: 400, code: "invalid_request" });
    expect(await countStored(here.organizationId)).toEqual({ connections: 0, migrations: 0 });
  });

  test.each([
    ["no JSON", "{", "application/json", 400, "invalid_body"],
    ["a list", "[]", "application/json", 400, "invalid_body"],
    ["nothing at all", "", "application/json", 400, "invalid_body"],
    ["a form", "instance_url=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"],
    ["two megabytes", JSON.stringify({ access_token: "x".repeat(2_000_000) }), "application/json", 413, "payload_too_large"],
  ])("%s", async (_what, body, type, status, code) => {
    expect(problemIn(await here.api.send("POST", "/migration/analyze", body, type))).toMatchObject({ status, code });
  });
});

test("reading alone may not analyze", async () => {
  const reader = new MigrationApi(await createAccessToken(await createContext({ organizationId: here.organizationId, scopes: ["crm:read"] })));
  expect(problemIn(await reader.post("/migration/analyze", sandbox()))).toMatchObject({ status: 403, code: "insufficient_scope" });
  expect(problemIn(await new MigrationApi(null).post("/migration/analyze", sandbox()))).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(await countStored(here.organizationId)).toEqual({ connections: 0, migrations: 0 });
});
