import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { MAX_UUID } from "@/lib/ids";
import { LIST } from "@/lib/migration/record-issues";
import { idsIn, MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { begin, createReady } from "@/tests/migration/support/ready-migration";
import { storeIssues } from "@/tests/migration/support/within";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf } from "@/tests/support/query-plan";

let context: Context;
let api: MigrationApi;

beforeEach(async () => {
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
});

function issue(ext_id: string, outcome: "skipped" | "failed") {
  return { ext_id, outcome, code: "too_old", reason: "It is too old.", field: "CreatedDate", value: "1900-01-01" };
}

async function withIssues(): Promise<string> {
  const id = await createReady(context);
  const run = await begin(context, id);
  await transaction((client) =>
    storeIssues(client, run, "Account", [issue("001A", "failed"), issue("001B", "skipped")]),
  );
  await transaction((client) => storeIssues(client, run, "Case", [issue("500A", "failed")]));
  return id;
}

describe("the records that were not imported", () => {
  test("are listed page by page, each once", async () => {
    const id = await withIssues();
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.get(`/migration/${id}/errors?limit=1${cursor}`);
      seen.push(...idsIn(body, "ext_id"));
      expect(seen.length).toBeLessThan(10);
      cursor = body.has_more ? `&cursor=${body.next_cursor as string}` : "";
    } while (cursor);
    expect(seen).toEqual(["500A", "001B", "001A"]);
  });

  test("say what, where and why", async () => {
    const { body } = await api.get(`/migration/${await withIssues()}/errors?object=Case`);
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          object: "Case",
          ext_id: "500A",
          outcome: "failed",
          code: "too_old",
          field: "CreatedDate",
          value: "1900-01-01",
          reason: "It is too old.",
          remedy: null,
          record: null,
        },
      ],
      next_cursor: null,
      has_more: false,
    });
  });

  test("can be filtered by outcome and object", async () => {
    const id = await withIssues();
    expect(idsIn((await api.get(`/migration/${id}/errors?outcome=skipped`)).body, "ext_id")).toEqual(["001B"]);
    expect(idsIn((await api.get(`/migration/${id}/errors?outcome=failed&object=Account`)).body, "ext_id")).toEqual([
      "001A",
    ]);
    expect(idsIn((await api.get(`/migration/${id}/errors?code=too_old&object=Case`)).body, "ext_id")).toEqual(["500A"]);
    expect(idsIn((await api.get(`/migration/${id}/errors?code=other`)).body, "ext_id")).toEqual([]);
  });

  test("are read from ranges of an index, however many others there are", async () => {
    const id = await createReady(context);
    await begin(context, id);
    await pool().query(
      `INSERT INTO migration_record_issues
         (organization_id, migration_id, object, created_at, id, ext_id, outcome, code, reason)
       SELECT $1, $2, 'Case', now(), uuidv7(), n, CASE WHEN n <= 20 THEN 'failed' ELSE 'skipped' END::migration_outcome,
         CASE WHEN n % 2 = 0 THEN 'too_old' ELSE 'mirrored_by_email' END, ''
       FROM generate_series(1, 20000) AS n`,
      [context.organizationId, id],
    );
    await pool().query("ANALYZE migration_record_issues");
    for (const filter of [[], ["Case"], ["Account"], [null, "too_old"], [null, null, "failed"]]) {
      const given = [filter[0] ?? "", filter[1] ?? "", filter[2] ?? ""].map((value) => value || null);
      const values = [context.organizationId, id, ...given, MAX_UUID, 26];
      for (const mode of PLAN_MODES) {
        const nodes = await planOf({ text: LIST, values }, mode, { analyze: true });
        const read = nodes.map((node) => (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0));
        expect(Math.max(...read)).toBeLessThanOrEqual(4 * 26);
        expect(nodes.map((node) => node["Index Cond"] ?? "")).toContainEqual(expect.stringContaining("ROW("));
      }
    }
  });

  test("are counted by object and reason, the failed ones first", async () => {
    const id = await createReady(context);
    const run = await begin(context, id);
    const issues = [
      issue("001A", "skipped"),
      issue("001B", "skipped"),
      { ...issue("001C", "failed"), reason: "x" },
      issue("001D", "failed"),
    ];
    await transaction((client) => storeIssues(client, run, "Account", issues));
    const { body } = await api.get(`/migration/${id}/errors/summary`);
    expect(body).toEqual({
      data: [
        { object: "Account", outcome: "failed", code: "too_old", reason: null, remedy: null, count: 2 },
        { object: "Account", outcome: "skipped", code: "too_old", reason: "It is too old.", remedy: null, count: 2 },
      ],
    });
  });

  test("name the record that was imported in their place", async () => {
    const id = await withIssues();
    const { organizationId } = context;
    const activity = await insertRecord("activities", organizationId, { subject: "Angebot" });
    const case_id = await insertRecord("cases", organizationId);
    const comment = await insertRecord("case_comments", organizationId, { case_id, body: "x".repeat(300) });
    await pool().query(
      `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id)
        VALUES ($1, '500A', 'case_comments', $2), ($1, '001A', 'activities', $3)`,
      [organizationId, comment, activity],
    );
    const { body } = await api.get(`/migration/${id}/errors?outcome=failed`);
    expect(body.data).toMatchObject([
      { ext_id: "500A", record: { resource: "case_comments", id: comment, name: "x".repeat(200) } },
      { ext_id: "001A", record: { resource: "activities", id: activity, name: "Angebot" } },
    ]);
  });

  test("say what to do about them", async () => {
    const id = await createReady(context);
    const run = await begin(context, id);
    await transaction((client) =>
      storeIssues(client, run, "Account", [{ ...issue("001A", "failed"), code: "too_large" }]),
    );
    const remedy = "Leave that field out in the configuration, and retry what failed.";
    expect((await api.get(`/migration/${id}/errors`)).body).toMatchObject({ data: [{ remedy }] });
    expect((await api.get(`/migration/${id}/errors/summary`)).body).toMatchObject({ data: [{ remedy }] });
  });

  test.each([
    ["outcome=lost", "invalid_parameter", "?outcome"],
    ["object=Lead", "invalid_parameter", "?object"],
    ["code=%00", "invalid_parameter", "?code"],
    ["objct=Case", "unknown_parameter", "?objct"],
    ["migration_id=x", "unknown_parameter", "?migration_id"],
  ])("refuse %s", async (query, code, pointer) => {
    const problem = problemIn(await api.get(`/migration/${await createReady(context)}/errors?${query}`));
    expect(problem).toMatchObject({ status: 400, code });
    expect(problem.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
  });
});

describe("the records that were not imported, as CSV", () => {
  test("are complete and in order, with escaped quotes, lines and formulas", async () => {
    const id = await createReady(context);
    const run = await begin(context, id);
    const many = Array.from({ length: 2300 }, (_, index) => issue(`001${String(index).padStart(6, "0")}`, "failed"));
    const hostile = {
      ...issue("=1+1", "skipped"),
      field: "@Name",
      value: '=HYPERLINK("http://evil.example","x")\n2nd line, ä',
      code: "deleted_here",
    };
    await transaction((client) => storeIssues(client, run, "Account", many));
    await transaction((client) => storeIssues(client, run, "Case", [hostile]));
    const response = await api.request("GET", `/migration/${id}/errors/download`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="migration-errors-${id}.csv"`,
      "x-content-type-options": "nosniff",
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    const rows = parse(Buffer.from(bytes), { bom: true, record_delimiter: "\r\n" });
    expect(rows).toHaveLength(2302);
    expect(rows[0]).toEqual(["object", "ext_id", "outcome", "code", "field", "value", "cause", "remedy"]);
    expect(rows.slice(1, -1).map(([, extId]) => extId)).toEqual(many.map(({ ext_id }) => ext_id));
    expect(rows.at(-1)).toEqual([
      "Case",
      "'=1+1",
      "skipped",
      "deleted_here",
      "'@Name",
      `'${hostile.value}`,
      "It is too old.",
      "Restore the record here to have it updated by the next run.",
    ]);
  });

  test.each([
    ["behind a line feed", "ok\n=1+1", "ok\n=1+1"],
    ["behind a carriage return", "ok\r=1+1", "ok\r=1+1"],
    ["behind a line feed alone", "\n=1+1", "'\n=1+1"],
    ["behind blanks", "  @SUM(1)", "'  @SUM(1)"],
  ])("start no cell with a formula %s", async (_, value, expected) => {
    const id = await createReady(context);
    const run = await begin(context, id);
    await transaction((client) => storeIssues(client, run, "Account", [{ ...issue("001A", "failed"), value }]));
    const text = await (await api.request("GET", `/migration/${id}/errors/download`)).text();
    // Spreadsheets end a row at each of these.
    const rows = parse(text, { bom: true, relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] });
    expect(rows.slice(1).map((row) => row[5])).toEqual([expected]);
  });

  test("are those that the filter selects", async () => {
    const id = await withIssues();
    const response = await api.request("GET", `/migration/${id}/errors/download?outcome=failed&object=Case`);
    expect((await response.text()).split("\r\n").slice(1, -1)).toEqual([
      '"Case","500A","failed","too_old","CreatedDate","1900-01-01","It is too old.",',
    ]);
    const refused = await api.request("GET", `/migration/${id}/errors/download?limit=1`);
    expect(refused.status).toBe(400);
  });

  test("are refused to a request that wants a version of them, which they do not have", async () => {
    const id = await withIssues();
    const answer = await api.request("GET", `/migration/${id}/errors/download`, undefined, undefined, {
      "if-match": '"1"',
    });
    expect(answer.status).toBe(412);
  });
});
