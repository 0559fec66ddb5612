import { beforeEach, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { GET as downloadReport } from "@/app/api/v1/migration/[migration_id]/report/download/route";
import { newId } from "@/lib/ids";
import { idsIn, MigrationApi, problemIn, recordJobs } from "@/tests/migration/support/api-service";
import { begin, createReady, REPORT, setStatus } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let context: Context;
let api: MigrationApi;
let jobs: ReturnType<typeof recordJobs>;

beforeEach(async () => {
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
  jobs = recordJobs();
});

describe("the list of migrations", () => {
  test("is newest first, a page at a time, without those of others", async () => {
    await createReady(await createContext());
    const created = [await createReady(context), await createReady(context), await createReady(context)].toReversed();
    const first = (await api.get("/migration?limit=2")).body;
    expect(idsIn(first)).toEqual(created.slice(0, 2));
    expect(first).toMatchObject({ has_more: true, next_cursor: created[1] });
    const second = (await api.get(`/migration?limit=2&cursor=${first.next_cursor as string}`)).body;
    expect(idsIn(second)).toEqual(created.slice(2));
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
  });

  test.each([
    ["page=2", "unknown_parameter", "?page"],
    ["limit=0", "invalid_parameter", "?limit"],
    ["cursor=abc", "invalid_cursor", "?cursor"],
  ])("refuses %s", async (query, code, pointer) => {
    const problem = problemIn(await api.get(`/migration?${query}`));
    expect(problem).toMatchObject({ status: 400, code });
    expect(problem.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
  });
});

describe("another organization's migration, and one that does not exist, are 404:", () => {
  const reads = ["", "/report", "/report/download", "/configuration", "/errors"];

  test.each(reads)("GET /migration/{id}%s", async (path) => {
    const foreign = await createReady(await createContext());
    for (const id of [foreign, newId(), "no-id"])
      expect(problemIn(await api.get(`/migration/${id}${path}`))).toMatchObject({ status: 404 });
  });

  test("PUT configuration and POST run, which change nothing", async () => {
    const foreign = await createReady(await createContext());
    expect(problemIn(await api.put(`/migration/${foreign}/configuration`, { objects: {} }))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    expect(problemIn(await api.post("/migration/run", { migration_id: foreign }))).toMatchObject({
      status: 404,
      code: "not_found",
    });
    const { rows } = await pool().query(`SELECT status, configuration, run_number FROM migrations WHERE id = $1`, [
      foreign,
    ]);
    expect(rows).toEqual([{ status: "ready", configuration: null, run_number: 0 }]);
    expect(jobs.asked).toEqual([]);
  });
});

test("the scope crm:read allows reading, but not configuring or running", async () => {
  const id = await createReady(context);
  const reader = new MigrationApi(
    await createAccessToken(await createContext({ organizationId: context.organizationId, scopes: ["crm:read"] })),
  );
  for (const path of ["", "/report", "/report/download", "/configuration", "/errors"])
    expect((await reader.get(`/migration/${id}${path}`)).status).toBe(200);
  expect((await reader.put(`/migration/${id}/configuration`, { objects: {} })).status).toBe(403);
  expect((await reader.post("/migration/run", { migration_id: id })).status).toBe(403);
  const seller = new MigrationApi(
    await createAccessToken(await createContext({ organizationId: context.organizationId, scopes: ["erp:read"] })),
  );
  expect((await seller.get(`/migration/${id}`)).status).toBe(403);
});

describe("the report", () => {
  test("is returned as the analysis stored it", async () => {
    expect(await api.get(`/migration/${await createReady(context)}/report`)).toEqual({ status: 200, body: REPORT });
  });

  test("is downloaded as a file whose name says what it is, with the same content", async () => {
    const id = await createReady(context);
    const authorization = `Bearer ${await createAccessToken(context)}`;
    const request = new Request(`http://localhost/api/v1/migration/${id}/report/download`, {
      headers: { authorization },
    });
    const response = await downloadReport(request, { params: Promise.resolve({ migration_id: id }) });
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="salesforce-report-2026-01-01-${id}.json"`,
    );
    expect([response.status, await response.json()]).toEqual([200, REPORT]);
  });

  test.each([
    ["analyzing", /still being analyzed/],
    ["analysis_failed", /Analyze the Salesforce org again/],
  ])("is 409 in the status %s", async (status, says) => {
    const id = await createReady(context);
    await setStatus(id, status);
    const problem = problemIn(await api.get(`/migration/${id}/report`));
    expect(problem).toMatchObject({ status: 409, code: "illegal_state" });
    expect(problem.detail).toMatch(says);
  });
});

describe("a run", () => {
  test("is started with the given configuration, and its job is enqueued once", async () => {
    const id = await createReady(context);
    const configuration = { objects: { Case: { selected: false }, CaseComment: { selected: false } } };
    const { status, body } = await api.post("/migration/run", { migration_id: id, configuration });
    expect(status).toBe(202);
    expect(body).toMatchObject({ migration_id: id, status: "running", run_number: 1, reconciled: null });
    expect((body.objects as { object: string }[]).map((line) => line.object)).toEqual(["Account"]);
    expect(body.objects).toMatchObject([
      { resource: "accounts", status: "pending", expected: null, source: null, created: 0, reconciled: false },
    ]);
    const data = { organization_id: context.organizationId, migration_id: id, run_number: 1 };
    expect(jobs.asked).toEqual([{ name: "migration/run.requested", data, id: expect.stringContaining(id) }]);
    expect((await api.get(`/migration/${id}/configuration`)).body).toMatchObject({
      objects: { Case: { selected: false } },
    });
  });

  test("cannot be started twice, not even at the same moment", async () => {
    const id = await createReady(context);
    const answers = await Promise.all([1, 2, 3].map(() => api.post("/migration/run", { migration_id: id })));
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.length, refused.length]).toEqual([3, 2]);
    for (const answer of refused) expect(problemIn(answer).detail).toContain("`running`");
    expect(jobs.asked).toHaveLength(1);
  });

  test("with a configuration while the analysis runs is refused with that reason", async () => {
    const id = await createReady(context);
    await setStatus(id, "analyzing");
    await pool().query(`UPDATE migrations SET report = '{"objects": {}}' WHERE id = $1`, [id]);
    const configuration = { objects: { Account: { fields: { Name: "name" } } } };
    expect(problemIn(await api.post("/migration/run", { migration_id: id, configuration }))).toMatchObject({
      status: 409,
      code: "illegal_state",
    });
  });

  test.each(["analyzing", "analysis_failed", "undoing", "undone"])(
    "cannot be started in the status %s",
    async (status) => {
      const id = await createReady(context);
      await setStatus(id, status);
      expect(problemIn(await api.post("/migration/run", { migration_id: id }))).toMatchObject({
        status: 409,
        code: "illegal_state",
      });
      expect(jobs.asked).toEqual([]);
    },
  );

  test("while the job engine is away, waits for it and says so", async () => {
    const id = await createReady(context);
    jobs.failWith(new Error("The engine is away."));
    const { body } = await api.post("/migration/run", { migration_id: id });
    expect(body).toMatchObject({ status: "running", failure: null, waiting: { for: "job_engine" } });
    await expect(jobs.sendWaiting()).rejects.toThrow("away");
    jobs.failWith(null);
    await jobs.sendWaiting();
    expect(jobs.asked).toMatchObject([{ name: "migration/run.requested", data: { run_number: 1 } }]);
    expect((await api.get(`/migration/${id}`)).body).toMatchObject({ status: "running", waiting: null });
  });

  test("without any object selected is refused", async () => {
    const id = await createReady(context);
    const none = { selected: false };
    const configuration = { objects: { Account: none, Case: none, CaseComment: none } };
    const problem = problemIn(await api.post("/migration/run", { migration_id: id, configuration }));
    expect(problem).toMatchObject({
      status: 400,
      errors: [{ pointer: "/configuration/objects", detail: expect.stringContaining("Select at least one") }],
    });
    expect((await api.get(`/migration/${id}`)).body).toMatchObject({ status: "ready" });
    expect((await api.get(`/migration/${id}/configuration`)).body).toEqual({
      objects: {},
      threads: { attachments: true },
      repeat: "source_wins",
      files: { copy: false, max_mb: 100 },
      send_events: false,
    });
  });
});

test("an object is reconciled when its sum closes, and the migration when all do", async () => {
  const id = await createReady(context);
  await begin(context, id);
  const settle = (object: string, source: number) =>
    pool().query(
      `UPDATE migration_objects SET status = 'done', source = $3, created = 3, skipped = 1, failed = 1,
              read_until = now() WHERE migration_id = $1 AND object = $2`,
      [id, object, source],
    );
  await settle("Account", 5);
  await settle("Case", 6);
  await settle("CaseComment", 5);
  await setStatus(id, "failed");
  const { body } = await api.get(`/migration/${id}`);
  expect(body.objects).toMatchObject([
    { object: "Account", reconciled: true, source: 5 },
    { object: "Case", reconciled: false, source: 6 },
    { object: "CaseComment", reconciled: true, source: 5 },
  ]);
  expect(body.reconciled).toBe(false);
  await settle("Case", 5);
  expect((await api.get(`/migration/${id}`)).body.reconciled).toBe(true);
});
