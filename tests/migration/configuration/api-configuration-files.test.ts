import { beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { MigrationApi, problemIn } from "@/tests/migration/support/api-service";
import { createReady, REPORT, setStatus } from "@/tests/migration/support/ready-migration";
import { createAccessToken, createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let context: Context;
let api: MigrationApi;

beforeEach(async () => {
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
});

const ORG = { id: "00D000000000001EAA", name: "Acme", ext_instance_url: "https://acme.my.salesforce.com" };

/** A migration whose report is of an org, without these fields. */
async function analyzed({ without = [], org = ORG }: { without?: string[]; org?: typeof ORG } = {}): Promise<string> {
  const id = await createReady(context);
  const inventory = REPORT.inventory.map((entry) => ({
    ...entry,
    fields: entry.fields.filter(({ source }) => !without.includes(source)),
  }));
  await pool().query("UPDATE migrations SET report = report || $2::jsonb WHERE id = $1", [id, { org, inventory }]);
  return id;
}

const CHOICES = {
  objects: {
    Account: { fields: { Fax: "phone" } },
    Case: { values: { Status: { Neu: "new" } }, relationships: { ContactId: "leave_out" } },
  },
};

function file(configured: unknown, more: object = {}) {
  return { format: "crm-migration-configuration", version: 1, configuration: configured, ...more };
}

async function configured(id: string): Promise<Record<string, unknown>> {
  return (await api.get(`/migration/${id}/configuration`)).body;
}

test("an export has version, org and names, and its import elsewhere makes the same choices", async () => {
  const [id, other] = [await analyzed(), await analyzed()];
  const ana = await createUser(context.organizationId, "member", "ana-of-files@example.com");
  await api.put(`/migration/${id}/configuration`, { ...CHOICES, owners: { fallback: ana } });
  const exported = await api.get(`/migration/${id}/configuration/export`);
  expect(exported).toMatchObject({
    status: 200,
    body: {
      format: "crm-migration-configuration",
      version: 1,
      org: ORG,
      members: { [ana]: { email: "ana-of-files@example.com" } },
      configuration: await configured(id),
    },
  });
  const imported = await api.post(`/migration/${other}/configuration/import`, exported.body);
  expect(imported).toEqual({ status: 200, body: { configuration: await configured(id), left_out: [], warnings: [] } });
  expect(await configured(other)).toEqual(await configured(id));
});

test("an import is checked as a whole: each fault has its pointer, and nothing is stored", async () => {
  const id = await analyzed();
  const before = await configured(id);
  const faultsOf = async (body: unknown) => {
    const problem = problemIn(await api.post(`/migration/${id}/configuration/import`, body));
    expect(problem.status).toBe(400);
    return problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  const choices = {
    objects: { Account: { fields: { Fx: "phone", Fax: "nowhere" } }, Case: { relationships: { Subject: "heal" } } },
    owners: { fallback: context.organizationId },
  };
  expect(await faultsOf(file(choices))).toEqual([
    "/configuration/objects/Account/fields/Fx unknown_field",
    "/configuration/objects/Account/fields/Fax unknown_target",
    "/configuration/objects/Case/relationships/Subject no_relationship",
    "/configuration/owners/fallback unknown_member",
  ]);
  // What was never possible is refused in any case.
  expect(await faultsOf(file(choices, { leave_out_void: true }))).toEqual([
    "/configuration/objects/Account/fields/Fax unknown_target",
  ]);
  expect(await faultsOf(file({ objects: {} }, { version: 2 }))).toEqual([expect.stringMatching(/^\/version /)]);
  expect(await faultsOf({ configuration: { objects: {} } })).toHaveLength(2);
  expect(await configured(id)).toEqual(before);
  await setStatus(id, "running");
  expect(problemIn(await api.post(`/migration/${id}/configuration/import`, file({ objects: {} })))).toMatchObject({
    status: 409,
  });
});

test("an import replaces only the choices that its If-Match names", async () => {
  const id = await analyzed();
  const path = `/migration/${id}/configuration`;
  const seen = { "if-match": (await api.request("GET", path)).headers.get("etag") ?? "" };
  await api.put(path, { send_events: true });
  const body = JSON.stringify(file(CHOICES));
  const late = await api.request("POST", `${path}/import`, body, "application/json", seen);
  expect([late.status, await late.json()]).toEqual([412, expect.objectContaining({ code: "precondition_failed" })]);
  expect(await configured(id)).toMatchObject({ send_events: true, objects: {} });
  const known = { "if-match": (await api.request("GET", path)).headers.get("etag") ?? "" };
  expect((await api.request("POST", `${path}/import`, body, "application/json", known)).status).toBe(200);
});

test("an import of choices that were made for another org says so", async () => {
  const [id, other] = [await analyzed(), await analyzed({ org: { ...ORG, id: "00D000000000009EAA", name: "Other" } })];
  await api.put(`/migration/${id}/configuration`, CHOICES);
  const exported = (await api.get(`/migration/${id}/configuration/export`)).body as object;
  expect(await api.post(`/migration/${other}/configuration/import`, exported)).toMatchObject({
    status: 200,
    body: {
      configuration: await configured(id),
      warnings: [{ pointer: "/org/id", code: "other_org", detail: expect.stringMatching(/org Acme .* reads Other/) }],
    },
  });
});

test("choices that a changed org made void are named, and an import can leave them out", async () => {
  const id = await analyzed();
  await api.put(`/migration/${id}/configuration`, CHOICES);
  const later = await analyzed({ without: ["Fax", "ContactId"] });
  const gone = ["/objects/Account/fields/Fax", "/objects/Case/relationships/ContactId"];

  const own = await api.get(`/migration/${id}/configuration/check`);
  expect(own).toMatchObject({ status: 200, body: { report_of: id, same_org: true, void: [], impossible: [] } });
  const checked = await api.get(`/migration/${id}/configuration/check?report_of=${later}`);
  expect(checked).toMatchObject({
    status: 200,
    body: { report_of: later, same_org: true, void: gone.map((pointer) => ({ pointer })), impossible: [] },
  });
  const exported = (await api.get(`/migration/${id}/configuration/export`)).body as object;
  const refused = problemIn(await api.post(`/migration/${later}/configuration/import`, exported));
  expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(gone.map((pointer) => `/configuration${pointer}`));
  const imported = await api.post(`/migration/${later}/configuration/import`, { ...exported, leave_out_void: true });
  expect(imported).toMatchObject({
    status: 200,
    body: { left_out: gone.map((pointer) => ({ pointer: `/configuration${pointer}` })) },
  });
  expect(await configured(later)).toMatchObject({
    objects: { Account: { fields: {} }, Case: { values: { Status: { Neu: "new" } }, relationships: {} } },
  });
  const foreign = await analyzed({ org: { ...ORG, id: "00D000000000009EAA" } });
  expect(await api.get(`/migration/${id}/configuration/check?report_of=${foreign}`)).toMatchObject({
    body: { same_org: false },
  });
  const theirs = await createReady(await createContext());
  expect((await api.get(`/migration/${id}/configuration/check?report_of=${theirs}`)).status).toBe(404);
});

test("an import that leaves out what is void keeps the other choices whose value wins", async () => {
  const id = await analyzed();
  const fields = { name: "longest", "custom_fields.Gone/~__c": "newest", description: "ours" };
  const choices = { objects: { Account: { duplicates: { rules: [], fields } } } };
  const imported = await api.post(`/migration/${id}/configuration/import`, file(choices, { leave_out_void: true }));
  const pointer = "/configuration/objects/Account/duplicates/fields/custom_fields.Gone~1~0__c";
  expect(imported).toMatchObject({ status: 200, body: { left_out: [{ pointer, code: "unknown_field" }] } });
  expect(await configured(id)).toMatchObject({
    objects: { Account: { duplicates: { fields: { name: "longest", description: "ours" } } } },
  });
});

test("choices for what is not imported any more stand in no answer, and an import can leave them out", async () => {
  const id = await analyzed();
  const Lead = { selected: true, fields: {}, values: {} };
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [id, { objects: { Lead } }]);
  const given = await configured(id);
  expect(given.objects).toEqual({});
  expect((await api.get(`/migration/${id}/configuration/export`)).body).toMatchObject({ configuration: given });
  expect((await api.get(`/migration/${id}/configuration/check`)).body).toMatchObject({
    void: [{ pointer: "/objects/Lead", code: "not_selectable", detail: expect.stringContaining("planned") }],
  });
  expect(await api.put(`/migration/${id}/configuration`, given)).toMatchObject({ status: 200, body: given });

  const choices = { objects: { Lead, Account: { fields: { Fax: "phone" } } } };
  const leftOut = { pointer: "/configuration/objects/Lead", code: "not_selectable" };
  const refused = problemIn(await api.post(`/migration/${id}/configuration/import`, file(choices)));
  expect(refused.errors).toMatchObject([leftOut]);
  const imported = await api.post(`/migration/${id}/configuration/import`, file(choices, { leave_out_void: true }));
  expect(imported).toMatchObject({ status: 200, body: { left_out: [leftOut] } });
  expect(await configured(id)).toMatchObject({ objects: { Account: { fields: { Fax: "phone" } } } });
});
