import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { countStored, MigrationApi, problemIn, recordJobs } from "@/tests/migration/support/api-service";
import { beginSignIn, CALLBACK, comeBack, connectionIn, decide } from "@/tests/migration/support/oauth-browser";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { startDeadHost, startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let context: Context;
let api: MigrationApi;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, redirectUris: [CALLBACK] });
});

afterAll(() => org.stop());

beforeEach(async () => {
  Object.assign(env, { SALESFORCE_CLIENT_ID: org.clientId, SALESFORCE_CLIENT_SECRET: org.clientSecret });
  context = await createContext();
  api = new MigrationApi(await createAccessToken(context));
  recordJobs();
});

afterEach(async () => {
  stopHosts();
  await org.setRules({ rules: [], appInstalled: true });
});

/** Signs in at the org and allows access; returns the address that the browser is sent to. */
async function allowed(): Promise<URL> {
  return decide(await beginSignIn(api, org.instanceUrl));
}

/** The result of a return without a connection, and the number of stored connections. */
async function outcomeOf(url: URL, user = context): Promise<object> {
  return { ...(await comeBack(url, user)), ...(await countStored(context.organizationId)) };
}

function refusal(code: string, says: RegExp, connections = 0): object {
  return {
    status: 303,
    path: `/migration/new?error=${code}`,
    reason: expect.stringMatching(says),
    connections,
    migrations: 0,
  };
}

test("the authorization URL asks for a code with PKCE S256 and returns to this service", async () => {
  const url = await beginSignIn(api, org.instanceUrl);
  expect(`${url.origin}${url.pathname}`).toBe(`${org.instanceUrl}/services/oauth2/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: "code",
    client_id: org.clientId,
    redirect_uri: CALLBACK,
    scope: "api refresh_token id",
    state: expect.stringMatching(/^[0-9a-f-]{36}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
});

test("the sign-in ends with a connection that can be analyzed and stores no token in plain text", async () => {
  const connection_id = connectionIn(await comeBack(await allowed(), context));
  const { rows } = await pool().query<Record<string, unknown>>(`SELECT * FROM connections WHERE organization_id = $1`, [
    context.organizationId,
  ]);
  expect(rows).toMatchObject([
    { id: connection_id, ext_instance_url: org.instanceUrl, login_url: org.instanceUrl, created_by_id: context.userId },
  ]);
  for (const column of ["access_token_enc", "refresh_token_enc"])
    expect(String(rows[0]?.[column])).not.toMatch(/^$|null|00D|5Aep/);
  expect((await api.post("/migration/analyze", { connection_id })).status).toBe(202);
});

const revocations = async () => (await org.stats()).requests["POST /services/oauth2/revoke"] ?? 0;

describe("no connection is made", () => {
  test("when access is declined in Salesforce", async () => {
    expect(await outcomeOf(await decide(await beginSignIn(api, org.instanceUrl), "deny"))).toEqual(
      refusal("source_access_denied", /declined.*Allow/),
    );
  });

  test("when the app is not installed in the org, and the reason says who must install it where", async () => {
    await org.setRules({ appInstalled: false });
    expect(await outcomeOf(await allowed())).toEqual(
      refusal("source_access_denied", /administrator.*Connected Apps OAuth Usage.*Install/),
    );
  });

  test("when the token endpoint says that the app is not installed", async () => {
    const url = await allowed();
    const body = { error: "invalid_client", error_description: "app must be installed into org" };
    await org.setRules([{ path: "/services/oauth2/token", status: 400, body }]);
    expect(await outcomeOf(url)).toEqual(refusal("source_access_denied", /Connected Apps OAuth Usage/));
  });

  test("when Salesforce does not know the client secret", async () => {
    const url = await allowed();
    env.SALESFORCE_CLIENT_SECRET = "wrong";
    expect(await outcomeOf(url)).toEqual(refusal("source_access_denied", /SALESFORCE_CLIENT_SECRET/));
  });

  test("with a code that Salesforce did not issue", async () => {
    const url = await allowed();
    url.searchParams.set("code", "made-up");
    expect(await outcomeOf(url)).toEqual(refusal("source_token_refused", /Connect to the Salesforce org again/));
  });

  test("when the API is disabled for the user who signed in", async () => {
    const url = await allowed();
    await org.setRules([{ pathPattern: "^/services/data/v", preset: "API_CURRENTLY_DISABLED" }]);
    expect(await outcomeOf(url)).toEqual(refusal("source_api_disabled", /API Enabled/));
  });

  test("and the access that Salesforce gave for it is revoked", async () => {
    const before = await revocations();
    const url = await allowed();
    await org.setRules([{ pathPattern: "^/services/data/v", preset: "API_CURRENTLY_DISABLED" }]);
    await comeBack(url, context);
    expect(await revocations()).toBe(before + 1);
  });

  test("of an organization that is deleted meanwhile, and the access is revoked", async () => {
    const before = await revocations();
    const url = await allowed();
    await pool().query("UPDATE organizations SET deleted_at = now() WHERE id = $1", [context.organizationId]);
    expect(await outcomeOf(url)).toEqual(refusal("unauthenticated", /deleted meanwhile/));
    expect(await revocations()).toBe(before + 1);
  });

  test("beyond five hundred connections with access, and the access is revoked", async () => {
    connectionIn(await comeBack(await allowed(), context));
    await pool().query(
      `INSERT INTO connections SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
       FROM connections c, generate_series(1, 499) WHERE c.organization_id = $1`,
      [context.organizationId],
    );
    const before = await revocations();
    expect(await outcomeOf(await allowed())).toEqual(refusal("conflict", /at most 500 .*Disconnect an org/, 500));
    expect(await revocations()).toBe(before + 1);
  });

  test("for another user than the one who started, who can still finish", async () => {
    const url = await allowed();
    const colleague = await createContext({ organizationId: context.organizationId });
    expect(await outcomeOf(url, colleague)).toEqual(refusal("source_error", /by another user.*Connect again/));
    expect(connectionIn(await comeBack(url, context))).toBeTruthy();
  });

  test("after ten minutes", async () => {
    const url = await allowed();
    await pool().query(
      `UPDATE connection_attempts SET expires_at = created_at + interval '10 minutes' - interval '600.001 seconds'`,
    );
    expect(await outcomeOf(url)).toEqual(refusal("source_error", /has expired/));
  });

  test("for a forged link, whose text is not shown", async () => {
    const url = new URL(`${CALLBACK}?error=invalid_request&error_description=Call+0800+EVIL&state=none`);
    expect(await outcomeOf(url)).toEqual(refusal("source_error", /^(?!.*EVIL).*Connect again/));
  });
});

test("an attempt works once", async () => {
  const url = await allowed();
  connectionIn(await comeBack(url, context));
  expect(await outcomeOf(url)).toEqual(refusal("source_error", /already used/, 1));
});

test("a user who is signed out signs in first and returns to the same place", async () => {
  const url = await allowed();
  const { status, path } = await comeBack(url, null);
  expect([status, path]).toEqual([303, expect.stringMatching(/^\/sign-in\?next=/)]);
  const next = new URL(path, CALLBACK).searchParams.get("next") ?? "";
  expect(connectionIn(await comeBack(new URL(next, CALLBACK), context))).toBeTruthy();
});

describe("signing in is not started", () => {
  test("while this service is not set up for it, and the problem says what to set", async () => {
    env.SALESFORCE_CLIENT_SECRET = undefined;
    const answer = await api.post("/migration/connections/authorize", { login_url: org.instanceUrl });
    expect(problemIn(answer)).toMatchObject({
      status: 422,
      code: "source_sign_in_not_set_up",
      title: "Signing in at Salesforce is not set up",
      detail: expect.stringContaining("SALESFORCE_CLIENT_SECRET"),
    });
    expect(problemIn(answer).detail).toContain(CALLBACK);
  });

  test("at a host that is not Salesforce's, which would be sent the client secret", async () => {
    env.ALLOW_PRIVATE_NETWORK = false;
    try {
      for (const login_url of [
        "https://evil.example",
        "https://salesforce.com.evil.example",
        "https://evilsalesforce.com",
      ]) {
        const problem = problemIn(await api.post("/migration/connections/authorize", { login_url }));
        expect(problem).toMatchObject({ status: 422, code: "source_url_invalid", errors: [{ pointer: "/login_url" }] });
      }
      for (const login_url of ["https://login.salesforce.com", "test.salesforce.com"]) {
        expect((await api.post("/migration/connections/authorize", { login_url })).status).toBe(200);
      }
    } finally {
      env.ALLOW_PRIVATE_NETWORK = true;
    }
  });

  test("at a My Domain that does not exist or is no Salesforce", async () => {
    const dead = problemIn(await api.post("/migration/connections/authorize", { login_url: await startDeadHost() }));
    expect(dead).toMatchObject({ status: 422, code: "source_unreachable" });
    const website = await startHost((_request, response) => response.end("<!doctype html>"));
    const other = problemIn(await api.post("/migration/connections/authorize", { login_url: website }));
    expect(other).toMatchObject({ status: 422, code: "source_not_salesforce" });
    const { rows } = await pool().query(`SELECT id FROM connection_attempts WHERE organization_id = $1`, [
      context.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  test("with a token that only reads", async () => {
    const reader = new MigrationApi(await createAccessToken(await createContext({ scopes: ["crm:read"] })));
    expect((await reader.post("/migration/connections/authorize", { login_url: org.instanceUrl })).status).toBe(403);
  });
});
