import { beforeAll, describe, expect, test } from "vitest";

import { type Scope, SCOPES } from "@/lib/context";
import { ROUTES } from "@/lib/http/openapi/routes";
import { newId } from "@/lib/ids";
import { hasScope } from "@/lib/operation";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { createAccessToken, createContext, createOrganization, createSession } from "@/tests/support/factories";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";

const tried = new Set<string>();
const tokens = new Map<string, string>();
let organization = "";
let member = "";

const bearer = (name: string) => ({ authorization: `Bearer ${tokens.get(name) ?? name}` });

async function token(name: string, scopes: readonly Scope[], change = "") {
  const context = await createContext({ organizationId: organization, scopes });
  tokens.set(name, await createAccessToken(context));
  if (change) await pool().query(`UPDATE oauth_tokens SET ${change} WHERE user_id = $1`, [context.userId]);
}

beforeAll(async () => {
  organization = await createOrganization();
  for (const scope of SCOPES) await token(scope, [scope]);
  await token("expired", SCOPES, "expires_at = now() - interval '1 minute'");
  await token("elsewhere", SCOPES, "resource = '{http://localhost:3000/api/mcp}'");
  // A token says of which organization it is; its user may belong to others.
  await token("of another organization", SCOPES, `organization_id = '${await createOrganization()}'`);
  const { userId } = await createContext({ organizationId: organization, role: "member" });
  const session = await createSession({ organizationId: organization, userId });
  member = `${SESSION_COOKIE}=${await sealSessionId(session)}`;
});

/** A path with an unused id in each place. */
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

  test.each(["unknown", "expired", "elsewhere", "of another organization"])(
    "with a token that is %s it is 401",
    async (name) => {
      const { status, headers } = await call(bearer(name));
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
    },
  );

  const isEnough = (scope: Scope) => operation.scopes.some((needed) => hasScope({ scopes: new Set([scope]) }, needed));
  const enough = operation.people ? [] : SCOPES.filter(isEnough);
  const short = operation.people ? [] : SCOPES.filter((scope) => !isEnough(scope));

  test.each(short)("a token of %s alone is 403 with the scope to ask for", async (scope) => {
    const { status, headers, text } = await call(bearer(scope));
    expect([status, JSON.parse(text).code]).toEqual([403, "insufficient_scope"]);
    expect(headers.get("www-authenticate")).toContain(`scope="${operation.scopes[0]}"`);
  });

  test.each(enough)("a token of %s alone reaches the operation", async (scope) => {
    const { status } = await call(bearer(scope));
    expect([200, 400, 404, 422]).toContain(status);
  });
});

const BY_PEOPLE = ROUTES.filter(({ operation }) => operation.people);

test.each(BY_PEOPLE)("no access token opens $method $path", async ({ method, path }) => {
  for (const scope of SCOPES) expect((await callRoute(method, filled(path), bearer(scope))).status).toBe(403);
});

test.each(BY_PEOPLE.filter(({ operation }) => operation.people === "admins"))(
  "a member may not $method $path",
  async ({ method, path }) => {
    expect((await callRoute(method, filled(path), { cookie: member, origin: "http://localhost:3000" })).status).toBe(
      403,
    );
  },
);

test("every endpoint of the table was tried", () => {
  expect(tried.size).toBe(ROUTES.length);
  expect(tried.size).toBeGreaterThan(95);
});
