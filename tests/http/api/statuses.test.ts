import { beforeAll, describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { RESOURCES } from "@/lib/records/schema/resources";

import { createAccessToken, createContext, createOrganization, insertRecord, NEEDED } from "@/tests/support/factories";

import { type Call, callerWith, faultsOf } from "@/tests/http/support/call-api";

let organizationId: string;
let call: Call;
let stranger: Call;

beforeAll(async () => {
  organizationId = await createOrganization();
  call = callerWith(await createAccessToken(await createContext({ organizationId, scopes: ["crm:write"] })));
  stranger = callerWith(await createAccessToken(await createContext({ scopes: ["crm:write"] })));
});

// tests/service/api proves over HTTP that each operation gives each status; here is what else a response says.
describe.each(RESOURCES)("%s", (resource) => {
  const needed = async () => ({
    ...NEEDED[resource],
    ...(resource === "case_comments" && { case_id: await insertRecord("cases", organizationId) }),
  });
  const create = async () => call("POST", `/${resource}`, { body: await needed() });

  test("201: POST creates, and returns the record's address", async () => {
    const created = await create();
    expect([created.status, created.headers.get("location")]).toEqual([201, `/api/v1/${resource}/${created.body.id}`]);
    expect((await call("GET", `/${resource}/${created.body.id}`)).body).toEqual(created.body);
  });

  test("200: PATCH changes, DELETE deletes, POST restore brings back", async () => {
    const { id } = (await create()).body;
    expect(await call("PATCH", `/${resource}/${id}`, { body: { custom_fields: { a: 1 } } })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await call("DELETE", `/${resource}/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect(await call("GET", `/${resource}/${id}`)).toMatchObject({ status: 404 });
    const restored = await call("POST", `/${resource}/${id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id, version: 3 } });
    expect(restored.headers.get("location")).toBeNull();
  });

  test("201 and 200: PUT by external id creates, then changes or finds unchanged", async () => {
    const path = `/${resource}/by_ext_id/${encodeURIComponent(`erp/7 % é ${resource}`)}`;
    const created = await call("PUT", path, { body: await needed() });
    expect(created).toMatchObject({ status: 201, body: { ext_id: `erp/7 % é ${resource}`, version: 1 } });
    expect(created.headers.get("location")).toBe(`/api/v1/${resource}/${created.body.id}`);
    expect(await call("PUT", path, { body: {} })).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await call("PUT", path, { body: { custom_fields: { a: 1 } } })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await call("GET", path)).toMatchObject({ status: 200, body: { id: created.body.id, version: 2 } });
  });

  test("200: POST batch writes many", async () => {
    const items = [
      { action: "create", data: await needed() },
      { action: "update", id: newId(), data: {} },
    ];
    const { status, body } = await call("POST", `/${resource}/batch`, { body: { mode: "per_item", items } });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([{ status: "created" }, { status: "failed", problem: { code: "not_found" } }]);
  });

  test("404: a missing or another organization's record cannot be changed, deleted or restored", async () => {
    const { id } = (await create()).body;
    for (const [caller, each] of [
      [call, newId()],
      [call, "7"],
      [stranger, id],
    ] as const) {
      expect(await caller("PATCH", `/${resource}/${each}`, { body: {} })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      expect(await caller("DELETE", `/${resource}/${each}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      expect(await caller("POST", `/${resource}/${each}/restore`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      expect(await caller("GET", `/${resource}/by_ext_id/${each}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    expect(await call("GET", `/${resource}/${id}`)).toMatchObject({ status: 200, body: { version: 1 } });
  });

  test.each([
    ["PUT", `/${resource}`, "GET, HEAD, POST, OPTIONS"],
    ["POST", `/${resource}/${newId()}`, "GET, HEAD, PATCH, DELETE, OPTIONS"],
    ["GET", `/${resource}/${newId()}/restore`, "POST, OPTIONS"],
    ["PATCH", `/${resource}/by_ext_id/x`, "GET, HEAD, PUT, OPTIONS"],
    ["GET", `/${resource}/batch`, "POST, OPTIONS"],
  ])("405: %s %s names the methods that there are", async (method, path, allow) => {
    const answer = await call(method, path);
    expect([answer.status, answer.body.code, answer.headers.get("allow")]).toEqual([405, "method_not_allowed", allow]);
  });
});

test("400: all invalid fields are reported at once, also of an upsert", async () => {
  const body = { annual_revenue: "much", nmae: "x", parent_account_id: "7" };
  for (const [method, path] of [
    ["POST", "/accounts"],
    ["PUT", "/accounts/by_ext_id/new"],
  ] as const) {
    const answer = await call(method, path, { body });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect(faultsOf(answer)).toEqual(
      expect.arrayContaining([
        "/annual_revenue invalid_type",
        "/nmae unknown_field",
        "/parent_account_id invalid_format",
      ]),
    );
  }
});

test("400: an upsert's body that repeats the external id, and a reference to a missing record", async () => {
  expect(faultsOf(await call("PUT", "/accounts/by_ext_id/A", { body: { name: "x", ext_id: "A" } }))).toEqual([
    "/ext_id unknown_field",
  ]);
  expect(
    faultsOf(await call("PUT", "/accounts/by_ext_id/A", { body: { name: "x", parent_account_id: newId() } })),
  ).toEqual(["/parent_account_id not_found"]);
});

test("400: a field that both body and path give is reported with all other faults", async () => {
  const { id } = (await call("POST", "/accounts", { body: { name: "x" } })).body as { id: string };
  const answer = await call("PATCH", `/accounts/${id}`, {
    body: { id, name: "", created_at: "2026-01-01T00:00:00.000Z" },
  });
  expect(faultsOf(answer).toSorted()).toEqual(["/created_at unknown_field", "/id unknown_field", "/name too_short"]);
});

test("400: parameters of a write, and of a GET by external id", async () => {
  expect(await call("PUT", "/accounts/by_ext_id/A?x=1", { body: { name: "x" } })).toMatchObject({
    status: 400,
    body: { code: "unknown_parameter" },
  });
  expect(await call("POST", "/accounts/batch?mode=per_item", { body: {} })).toMatchObject({
    status: 400,
    body: { code: "unknown_parameter" },
  });
  expect(await call("GET", "/accounts/by_ext_id/A?ext_id=B")).toMatchObject({
    status: 400,
    body: { code: "unknown_parameter" },
  });
});

test.each([["x".repeat(256)], ["a%00b"]])(
  "an invalid external id is 400 in a PUT and 404 in a GET (%#)",
  async (segment) => {
    const refused = await call("PUT", `/accounts/by_ext_id/${segment}`, { body: { name: "x" } });
    expect(refused.status).toBe(400);
    expect(faultsOf(refused)[0]).toMatch(/^\/ext_id /);
    expect((await call("GET", `/accounts/by_ext_id/${segment}`)).status).toBe(404);
  },
);

test("OPTIONS, and the refusal of another media type, say in which one a PATCH is read", async () => {
  const path = `/accounts/${newId()}`;
  const refused = await call("PATCH", path, {
    body: { name: "x" },
    headers: { "content-type": "application/merge-patch+json" },
  });
  const asked = await call("OPTIONS", path);
  expect([refused.status, refused.headers.get("accept-patch"), asked.headers.get("accept-patch")]).toEqual([
    415,
    "application/json",
    "application/json",
  ]);
  expect((await call("OPTIONS", "/accounts")).headers.get("accept-patch")).toBeNull();
});

test("409: a value that another record has", async () => {
  await call("POST", "/products", { body: { name: "Drill", sku: "D-1" } });
  const { id } = (await call("POST", "/products", { body: { name: "Saw" } })).body;
  const attempts = [
    await call("POST", "/products", { body: { name: "Drill", sku: "D-1" } }),
    await call("PATCH", `/products/${id}`, { body: { sku: "D-1" } }),
    await call("PUT", "/products/by_ext_id/P-9", { body: { name: "Drill", sku: "D-1" } }),
  ];
  for (const answer of attempts) {
    expect([answer.status, answer.body.code, ...faultsOf(answer)]).toEqual([409, "conflict", "/sku taken"]);
  }
  const items = [{ action: "update", id, data: { sku: "D-1" } }];
  const batch = await call("POST", "/products/batch", { body: { mode: "all_or_nothing", items } });
  expect([batch.status, ...faultsOf(batch)]).toEqual([409, "/items/0/data/sku taken"]);
});
