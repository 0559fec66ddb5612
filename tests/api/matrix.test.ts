import { beforeAll, describe, expect, test } from "vitest";

import { hasScope, type Scope, SCOPES } from "@/lib/context";
import { pool } from "@/lib/db";
import { ROUTES } from "@/lib/http/openapi/routes";
import { newId } from "@/lib/ids";
import type { Field } from "@/lib/records/field";
import { ENTITIES } from "@/lib/records/registry";
import { RESOURCES } from "@/lib/records/resources";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/session-cookie";
import { startSession } from "@/lib/sessions/start-session";
import { NEEDED } from "@/tests/records/write-operations";
import { createAccessToken, createContext, createOrganization, insertRecord } from "@/tests/support/factories";

import { callRoute } from "./call-route";

const MARKER = "Kept-from-strangers";
const tried = new Set<string>();
const tokens = new Map<string, string>();
const foreign = new Map<string, string>();
let own = "";
let member = "";

const bearer = (name: string) => ({ authorization: `Bearer ${tokens.get(name) ?? name}` });

async function token(name: string, scopes: readonly Scope[], change = "") {
  const context = await createContext({ organizationId: own, scopes });
  tokens.set(name, await createAccessToken(context));
  if (change) await pool().query(`UPDATE oauth_tokens SET ${change} WHERE user_id = $1`, [context.userId]);
}

beforeAll(async () => {
  own = await createOrganization();
  for (const scope of SCOPES) await token(scope, [scope]);
  await token("expired", SCOPES, "expires_at = now() - interval '1 minute'");
  await token("elsewhere", SCOPES, "resource = '{http://localhost:3000/api/mcp}'");
  const { userId } = await createContext({ organizationId: own, role: "member" });
  const session = await startSession({ organizationId: own, userId, address: "192.0.2.1", method: "password" });
  member = `${SESSION_COOKIE}=${await sealSessionId(session)}`;
  const other = await createContext();
  foreign.set("users", other.userId);
  for (const resource of RESOURCES) {
    const texts = Object.entries<Field>(ENTITIES[resource].fields).filter(([, { kind }]) => kind === "text");
    const fields = Object.fromEntries(texts.map(([name]) => [name, `${MARKER} ${resource} ${name}`]));
    const parent = resource === "case_comments" ? { case_id: foreign.get("cases") } : {};
    foreign.set(resource, await insertRecord(resource, other.organizationId, { ...fields, ...parent }));
  }
});

/** A path with an id of nothing in each place. */
function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, newId());
}

describe.each(ROUTES)("$method $path", ({ method, path, operation }) => {
  const call = (headers: Record<string, string>) => {
    tried.add(`${method} ${path}`);
    return callRoute(method, filled(path), headers);
  };

  test("without a token it is 401 with a challenge", async () => {
    const { status, headers } = await call({});
    expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer scope=/)]);
  });

  test.each(["unknown", "expired", "elsewhere"])("with a token that is %s it is 401", async (name) => {
    const { status, headers } = await call(bearer(name));
    expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });

  const short = SCOPES.filter((scope) => !operation.scopes.some((needed) => hasScope({ scopes: new Set([scope]) }, needed)));
  test.each(operation.people ? [] : short)("a token of %s alone is 403 with the scope to ask for", async (scope) => {
    const { status, headers, text } = await call(bearer(scope));
    expect([status, JSON.parse(text).code]).toEqual([403, "insufficient_scope"]);
    expect(headers.get("www-authenticate")).toContain(`scope="${operation.scopes[0]}"`);
  });
});

const BY_PEOPLE = ROUTES.filter(({ operation }) => operation.people);

test.each(BY_PEOPLE)("no access token opens $method $path", async ({ method, path }) => {
  for (const scope of SCOPES) expect((await callRoute(method, filled(path), bearer(scope))).status).toBe(403);
});

test.each(BY_PEOPLE.filter(({ operation }) => operation.people === "admins"))("a member may not $method $path", async ({ method, path }) => {
  expect((await callRoute(method, filled(path), { cookie: member, origin: "http://localhost:3000" })).status).toBe(403);
});

describe.each(RESOURCES)("another organization's %s", (resource) => {
  const id = () => foreign.get(resource) ?? "";
  const references = Object.entries<Field>(ENTITIES[resource].fields).filter(([, { references: to }]) => to);

  test("are 404 by id and by external id", async () => {
    const byExtId = `/${resource}/by_ext_id/${encodeURIComponent(`${MARKER} ${resource} ext_id`)}`;
    const paths = [`GET /${resource}/${id()}`, `PATCH /${resource}/${id()}`, `DELETE /${resource}/${id()}`, `POST /${resource}/${id()}/restore`];
    for (const each of [...paths, `GET ${byExtId}`]) {
      const [method = "", path = ""] = each.split(" ");
      const { status, text } = await callRoute(method, path, bearer("crm:write"));
      expect([each, status, text.includes(MARKER)]).toEqual([each, 404, false]);
    }
  });

  test("stand in no list, whatever its cursor or filter", async () => {
    const filters = references.filter(([, { filterable }]) => filterable).map(([name, { references: to }]) => `${name}=${foreign.get(to ?? "")}`);
    for (const query of ["include=total", `cursor=${id()}`, "order=asc", ...filters]) {
      const { status, text } = await callRoute("GET", `/${resource}?${query}`, bearer("crm:write"));
      expect([query, status, JSON.parse(text).data]).toEqual([query, 200, []]);
    }
  });

  test("are not_found where a body refers to them", async () => {
    const needed = { ...NEEDED[resource], ...(resource === "case_comments" && { case_id: foreign.get("cases") }) };
    for (const [name, { references: to }] of references.filter(([, field]) => !field.readOnly)) {
      const { status, text } = await callRoute("POST", `/${resource}`, bearer("crm:write"), { ...needed, [name]: foreign.get(to ?? "") });
      const { errors } = JSON.parse(text) as { errors: { pointer: string; code: string }[] };
      const expected = new Set([name, ...("case_id" in needed ? ["case_id"] : [])].map((field) => `/${field} not_found`));
      expect([name, status, new Set(errors.map(({ pointer, code }) => `${pointer} ${code}`))]).toEqual([name, 400, expected]);
      expect(text).not.toContain(MARKER);
    }
  });
});

test("every endpoint of the table was tried", () => {
  expect(tried.size).toBe(ROUTES.length);
  expect(tried.size).toBeGreaterThan(95);
});
