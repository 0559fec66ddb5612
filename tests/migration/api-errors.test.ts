import { beforeEach, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { idsIn, MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { begin, createReady } from "@/tests/migration/support/ready-migration";
import { storeIssues } from "@/tests/migration/support/within";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

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
        { object: "Account", outcome: "failed", code: "too_old", reason: null, count: 2 },
        { object: "Account", outcome: "skipped", code: "too_old", reason: "It is too old.", count: 2 },
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
