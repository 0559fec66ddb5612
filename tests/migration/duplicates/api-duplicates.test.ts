import { expect, test } from "vitest";

import { createReady, setStatus } from "@/tests/migration/support/ready-migration";
import { MigrationApi, problemIn, recordJobs } from "@/tests/migration/support/api-service";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

async function arrange() {
  const context = await createContext();
  const api = new MigrationApi(await createAccessToken(context));
  return { api, id: await createReady(context), jobs: recordJobs() };
}

const BY_NAME = { rules: [{ match: [{ fields: ["name"] }] }] };

test("a preview of the stored rules starts one job, and its state can be read", async () => {
  const { api, id, jobs } = await arrange();
  await api.put(`/migration/${id}/configuration`, { objects: { Account: { duplicates: BY_NAME } } });
  const { status, body } = await api.post(`/migration/${id}/duplicates/preview`, {});
  expect(status).toBe(202);
  expect(body.data).toMatchObject([{ object: "Account", of: "preview", status: "reading_source", clusters: 0 }]);
  expect(jobs.asked).toMatchObject([{ name: "migration/search.requested", data: { migration_id: id } }]);
  expect((await api.get(`/migration/${id}/duplicates/summary`)).body).toEqual(body);
  expect((await api.get(`/migration/${id}/duplicates?of=preview`)).body).toEqual({
    data: [],
    next_cursor: null,
    has_more: false,
  });
});

test("rules can be tried without storing them", async () => {
  const { api, id } = await arrange();
  const configuration = { objects: { Account: { duplicates: BY_NAME } } };
  expect((await api.post(`/migration/${id}/duplicates/preview`, { configuration })).status).toBe(202);
  expect((await api.get(`/migration/${id}/configuration`)).body).toMatchObject({ objects: {}, send_events: false });
});

test("without rules, or before the analysis, a preview is refused with what to do", async () => {
  const { api, id } = await arrange();
  const none = await api.post(`/migration/${id}/duplicates/preview`, { object: "Account" });
  expect(problemIn(none)).toMatchObject({ status: 409, code: "illegal_state" });
  expect(problemIn(none).detail).toContain("objects.Account.duplicates.rules");
  await setStatus(id, "analyzing");
  const early = await api.post(`/migration/${id}/duplicates/preview`, {});
  expect(problemIn(early)).toMatchObject({ status: 409, code: "illegal_state" });
});

test("rules that name no field of the record are refused, each with its place", async () => {
  const { api, id } = await arrange();
  const answer = await api.put(`/migration/${id}/configuration`, {
    objects: {
      Account: {
        duplicates: {
          rules: [{ match: [{ fields: ["nmae", "website"] }, { fields: ["custom_fields.Fax", "custom_fields.Fix"] }] }],
          fields: { owner_id: "ours", description: "longest", "non/sense": "newest" },
        },
      },
    },
  });
  expect(problemIn(answer).errors).toMatchObject([
    { pointer: "/objects/Account/duplicates/rules/0/match/0/fields/0", code: "unknown_field" },
    { pointer: "/objects/Account/duplicates/rules/0/match/0/fields/1", code: "unmapped_field" },
    { pointer: "/objects/Account/duplicates/rules/0/match/1/fields/1", code: "unknown_field" },
    { pointer: "/objects/Account/duplicates/fields/non~1sense", code: "unknown_field" },
  ]);
  expect(problemIn(answer).errors?.[0]?.detail).toContain("`name`");
});

test.each([
  ["a field that nothing goes to", "website", {}],
  ["a field whose source is left out", "name", { Name: null }],
  ["a custom field that became another one", "custom_fields.Fax", { Fax: "phone" }],
])("a rule by %s is refused, since it would never match", async (_, name, fields) => {
  const { api, id } = await arrange();
  const duplicates = { rules: [{ match: [{ fields: [name] }] }] };
  const answer = await api.put(`/migration/${id}/configuration`, { objects: { Account: { fields, duplicates } } });
  expect(problemIn(answer).errors).toMatchObject([
    { pointer: "/objects/Account/duplicates/rules/0/match/0/fields/0", code: "unmapped_field" },
  ]);
});

test("rules can compare what the choices map, and a stored rule that compares nothing stops no run", async () => {
  const { api, id } = await arrange();
  const duplicates = { rules: [{ match: [{ fields: ["phone"] }] }], fields: { website: "ours" } };
  const account = { fields: { Fax: "phone" }, duplicates };
  expect((await api.put(`/migration/${id}/configuration`, { objects: { Account: account } })).status).toBe(200);
  const stored = { objects: { Account: { duplicates } } };
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [id, stored]);
  expect((await api.get(`/migration/${id}/configuration/check`)).body).toMatchObject({
    void: [{ pointer: "/objects/Account/duplicates/rules/0/match/0/fields/0", code: "unmapped_field" }],
  });
  expect((await api.post("/migration/run", { migration_id: id })).status).toBe(202);
});
