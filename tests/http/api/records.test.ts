import { beforeAll, describe, expect, test } from "vitest";

import { GET as getOne } from "@/app/api/v1/[resource]/[id]/route";
import { GET as unknown } from "@/app/api/v1/[resource]/route";
import { collection } from "@/app/api/v1/collection";
import type { Scope } from "@/lib/context";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { createAccessToken, createContext, createOrganization, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import type { Fields } from "@/lib/records/schema/entity";
import { recordOutput } from "@/lib/records/schema/field-schema";

const ORIGIN = "http://localhost:3000";

let organizationId: string;
let token: string;

beforeAll(async () => {
  organizationId = await createOrganization();
  token = await tokenWith(["crm:read"]);
});

async function tokenWith(scopes: Scope[]): Promise<string> {
  return createAccessToken(await createContext({ organizationId, scopes }));
}

async function call(path: string, bearer: string | null = token): Promise<Response> {
  const { pathname } = new URL(path, ORIGIN);
  const [, , , resource = "", id] = pathname.split("/").map(decodeURIComponent);
  const request = new Request(`${ORIGIN}${path}`, {
    headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
  });
  if (id !== undefined) return getOne(request, { params: Promise.resolve({ resource, id }) });
  return isResource(resource)
    ? collection(resource).GET(request)
    : unknown(request, { params: Promise.resolve({ resource }) });
}

interface Problem {
  status: number;
  code: string;
  detail: string;
  request_id: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

async function problemOf(path: string, bearer: string | null = token): Promise<Problem> {
  const response = await call(path, bearer);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({ type: `${ORIGIN}/docs/errors/${problem.code}`, status: response.status });
  expect(response.headers.get("x-request-id")).toBe(problem.request_id);
  return problem;
}

async function insertOneOf(resource: ResourceName, organization = organizationId): Promise<string> {
  const parent = resource === "case_comments" ? { case_id: await insertRecord("cases", organization) } : {};
  return insertRecord(resource, organization, parent);
}

describe.each(RESOURCES)("%s", (resource) => {
  test("a page and a single record agree with the registry and with each other", async () => {
    const id = await insertOneOf(resource);
    const list = await call(`/api/v1/${resource}?limit=1`);
    expect(list.status).toBe(200);
    expect(list.headers.get("content-type")).toBe("application/json");
    expect(list.headers.get("cache-control")).toBe("no-store");
    expect(list.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const page = (await list.json()) as {
      data: Record<string, unknown>[];
      next_cursor: string | null;
      has_more: boolean;
    };
    expect(Object.keys(page)).toEqual(["data", "next_cursor", "has_more"]);
    expect(page.data[0]).toMatchObject({ id, custom_fields: {}, version: 1, ext_id: null });
    expect(Object.keys(page.data[0] ?? {})).toEqual(Object.keys(ENTITIES[resource].fields));
    expect(recordOutput<Fields>(ENTITIES[resource]).safeParse(page.data[0]).error?.issues).toBeUndefined();
    const one = await call(`/api/v1/${resource}/${id}`);
    expect(one.status).toBe(200);
    expect(await one.json()).toEqual(page.data[0]);
  });
});

describe("erp:read alone", () => {
  test("reads products", async () => {
    const erp = await tokenWith(["erp:read"]);
    const id = await insertRecord("products", organizationId);
    expect((await call("/api/v1/products", erp)).status).toBe(200);
    expect((await call(`/api/v1/products/${id}`, erp)).status).toBe(200);
  });

  test.each(RESOURCES.filter((resource) => resource !== "products"))(
    "reads no %s: 403 names the scope to ask for",
    async (resource) => {
      const erp = await tokenWith(["erp:read"]);
      const id = await insertOneOf(resource);
      expect(await problemOf(`/api/v1/${resource}`, erp)).toMatchObject({ status: 403, code: "insufficient_scope" });
      const { headers, status } = await call(`/api/v1/${resource}/${id}`, erp);
      expect(status).toBe(403);
      expect(headers.get("www-authenticate")).toMatch(
        /^Bearer error="insufficient_scope".*scope="crm:read".*resource_metadata="/,
      );
    },
  );
});

test("crm:write implies reading", async () => {
  expect((await call("/api/v1/leads", await tokenWith(["crm:write"]))).status).toBe(200);
});

describe("what is refused in a list", () => {
  test.each([
    ["limit=0", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=201", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=5.5", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=1e2", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=-1", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=0x10", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=+5", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=%2B5", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=%205", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=5%0A", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=%EF%BC%95", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=%D9%A5", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=5%00", "invalid_parameter", "?limit", "1 to 200"],
    ["limit[]=5", "unknown_parameter", "?limit[]", "did you mean `limit`?"],
    ["limit=ten", "invalid_parameter", "?limit", "1 to 200"],
    ["limit=1&limit=2", "invalid_parameter", "?limit", "given 2 times"],
    ["limit=1&limit=1", "invalid_parameter", "?limit", "given 2 times"],
    ["cursor=abc", "invalid_cursor", "?cursor", "next_cursor"],
    ["cursor=", "invalid_cursor", "?cursor", "next_cursor"],
    ["cursor=9f1c1d3e-0d5a-4c60-8a43-5f2a3a8a9c11", "invalid_cursor", "?cursor", "next_cursor"],
    ["limti=5", "unknown_parameter", "?limti", "did you mean `limit`?"],
    ["Limit=5", "unknown_parameter", "?Limit", "did you mean `limit`?"],
    ["after=5", "unknown_parameter", "?after", "did you mean `cursor`?"],
    ["page=2", "unknown_parameter", "?page", "did you mean `cursor`?"],
    ["per_page=2", "unknown_parameter", "?per_page", "did you mean `limit`?"],
    ["acount_id=2", "unknown_parameter", "?acount_id", "did you mean `account_id`?"],
    ["frobnicate=1", "unknown_parameter", "?frobnicate", "Known are `limit`, `cursor`, `order`"],
    ["__proto__=1", "unknown_parameter", "?__proto__", "Known are"],
    ["constructor=1", "unknown_parameter", "?constructor", "Known are"],
    ["hasOwnProperty=1", "unknown_parameter", "?hasOwnProperty", "Known are"],
    ["toString=1", "unknown_parameter", "?toString", "Known are"],
    ["a~b/c=1", "unknown_parameter", "?a~b/c", "Known are"],
    ["=1", "unknown_parameter", "?", "Known are"],
    ["account_id=1", "invalid_parameter", "?account_id", "must be the id of a record"],
    ["ext_id=%00", "invalid_parameter", "?ext_id", "U+0000"],
    ["ext_id=", "invalid_parameter", "?ext_id", "must not be empty"],
  ])("?%s is 400 %s", async (query, code, pointer, detail) => {
    const problem = await problemOf(`/api/v1/contacts?${query}`);
    expect(problem).toMatchObject({ status: 400, code, errors: [{ pointer, code }] });
    expect(problem.errors?.[0]?.detail).toContain(detail);
    expect(problem.detail).toBe(problem.errors?.[0]?.detail);
  });

  test("all faults are named at once", async () => {
    const problem = await problemOf("/api/v1/contacts?limit=0&cursor=x&foo=1&foo=2&account_id=7");
    expect(problem).toMatchObject({ status: 400, code: "invalid_request" });
    expect(problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual([
      "?account_id invalid_parameter",
      "?cursor invalid_cursor",
      "?foo unknown_parameter",
      "?limit invalid_parameter",
    ]);
  });
});

describe("an id in upper case (RFC 9562 §4)", () => {
  test("names the same record in a path", async () => {
    const id = await insertRecord("accounts", organizationId);
    const response = await call(`/api/v1/accounts/${id.toUpperCase()}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id });
  });

  test("names the same record in a filter, and the same position as a cursor", async () => {
    const account = await insertRecord("accounts", organizationId);
    const older = await insertRecord("contacts", organizationId, { account_id: account });
    const newer = await insertRecord("contacts", organizationId, { account_id: account });
    const response = await call(`/api/v1/contacts?account_id=${account.toUpperCase()}&cursor=${newer.toUpperCase()}`);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([older]);
  });
});

test("a cursor of another list or organization is only a time: the page begins there, with own records", async () => {
  const older = await insertRecord("leads", organizationId);
  const stranger = await createOrganization();
  const foreign = [
    await insertRecord("leads", stranger),
    await insertRecord("accounts", stranger),
    await insertRecord("products", organizationId),
  ];
  const newer = await insertRecord("leads", organizationId);
  for (const cursor of foreign) {
    const { data } = (await (await call(`/api/v1/leads?limit=200&cursor=${cursor}`)).json()) as {
      data: { id: string }[];
    };
    const ids = data.map(({ id }) => id);
    expect(ids[0]).toBe(older);
    expect(ids).not.toContain(newer);
    for (const id of foreign) expect(ids).not.toContain(id);
  }
});

describe("what is refused of a single record", () => {
  test.each([
    "1",
    "null",
    "0198f2b0-7c3e-7000-8000-000000000000",
    "9f1c1d3e-0d5a-4c60-8a43-5f2a3a8a9c11",
    "%00",
    "'--",
    "a".repeat(5000),
  ])("the id %s is 404", async (id) =>
    expect(await problemOf(`/api/v1/accounts/${id}`)).toMatchObject({ status: 404, code: "not_found" }),
  );

  test("other parameters are unknown, also the name in the path and a repeated one", async () => {
    const id = await insertRecord("accounts", organizationId);
    const problem = await problemOf(`/api/v1/accounts/${id}?id=${id}&limit=1&limit=2`);
    expect(problem).toMatchObject({ status: 400, code: "unknown_parameter" });
    expect(problem.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(["?id", "?limit"]);
    expect(problem.errors?.[0]?.detail).toContain("Known are `fields`, `expand`.");
  });
});

test("a defect is a 500 without details", async () => {
  await pool().query("ALTER TABLE leads RENAME TO mislaid");
  try {
    const problem = await problemOf("/api/v1/leads");
    expect(problem).toMatchObject({ status: 500, code: "internal_error" });
    expect(JSON.stringify(problem)).not.toMatch(/leads|relation/);
  } finally {
    await pool().query("ALTER TABLE mislaid RENAME TO leads");
  }
  expect((await call("/api/v1/leads")).status).toBe(200);
});
