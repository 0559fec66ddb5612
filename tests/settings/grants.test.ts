import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { listGrants, revokeGrant } from "@/lib/oauth/clients/grants";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { execute, type Operation, valueOf } from "@/lib/operation";
import {
  accessTokenOf,
  type Arranged,
  arrange,
  BASE_URL,
  callApi,
  exchange,
  obtainCode,
  obtainToken,
  PASSWORD,
  register,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { createContext } from "@/tests/support/factories";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";
import { createUserWithPassword } from "@/tests/support/user-with-password";

interface Grant {
  id: string;
  client_name: string;
  scopes: string[];
  permissions: string[];
  created_at: string;
  last_allowed_at: string;
  last_used_at: string | null;
  live_tokens: number;
}

async function run<Output>(operation: Operation, context: Context, input: unknown = {}): Promise<Output> {
  return valueOf(await execute(operation, context, input)) as Output;
}

function contextOf(
  { organizationId, userId }: { organizationId: string; userId: string },
  role: Context["role"] = "admin",
): Context {
  return { requestId: newId(), organizationId, userId, role, clientId: null, scopes: new Set(), address: "192.0.2.1" };
}

async function grantsOf(context: Context): Promise<Grant[]> {
  return (await run<{ data: Grant[] }>(listGrants, context)).data;
}

/** A member of the same organization, with a separate browser, in which the same client asks. */
async function colleagueOf(arranged: Arranged): Promise<Arranged> {
  const email = `bo-${newId()}@example.com`;
  const userId = await createUserWithPassword(
    arranged.organizationId,
    { email, name: "Bo Member", password: PASSWORD },
    "member",
  );
  return {
    ...arranged,
    userId,
    email,
    browser: await signInBrowser({ baseUrl: BASE_URL, email, password: PASSWORD, fetch: send }),
  };
}

test("allowed apps are listed with permissions in words, dates and live access tokens", async () => {
  const arranged = await arrange();
  expect(await grantsOf(contextOf(arranged))).toEqual([]);
  await obtainToken(arranged);
  const token = await obtainToken(arranged, { scope: "crm:read crm:write" });
  expect((await callApi(token)).status).toBe(200);
  await expect.poll(async () => (await grantsOf(contextOf(arranged)))[0]?.last_used_at).toEqual(expect.any(String));
  const [grant, ...others] = await grantsOf(contextOf(arranged));
  expect(others).toEqual([]);
  expect(grant).toMatchObject({ client_name: "Reporting", scopes: ["crm:read", "crm:write"], live_tokens: 2 });
  expect(grant?.permissions.join()).toContain("Read and change accounts");
  expect(Date.parse(grant?.last_allowed_at ?? "")).toBeGreaterThan(Date.parse(grant?.created_at ?? ""));
});

test("removing an app's access stops its tokens and codes at once, and reports how many tokens", async () => {
  const arranged = await arrange();
  const context = contextOf(arranged);
  const [token, code] = [await obtainToken(arranged), await obtainCode(arranged)];
  expect((await callApi(token)).status).toBe(200);
  const [grant] = await grantsOf(context);
  expect(await run(revokeGrant, context, { id: grant?.id })).toEqual({
    id: grant?.id,
    revoked: true,
    tokens_stopped: 1,
    webhooks_switched_off: 0,
  });

  expect((await callApi(token)).status).toBe(401);
  const refused = await exchange(arranged, code);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: "invalid_grant" });
  expect(await grantsOf(context)).toEqual([]);
  await expect(run(revokeGrant, context, { id: grant?.id })).rejects.toMatchObject({ code: "not_found" });
});

test("removing an app's access is recorded with the number of stopped access tokens", async () => {
  const arranged = await arrange();
  await obtainToken(arranged);
  const [grant] = await grantsOf(contextOf(arranged));
  await run(revokeGrant, contextOf(arranged), { id: grant?.id });
  const { rows } = await pool().query(
    "SELECT * FROM audit_events WHERE organization_id = $1 AND action = 'grant.revoked'",
    [arranged.organizationId],
  );
  expect(rows).toEqual([
    expect.objectContaining({
      user_email: arranged.email,
      client_name: "Reporting",
      address: "192.0.2.1",
      details: { tokens_stopped: 1, webhooks_switched_off: 0 },
    }),
  ]);
});

test("an app whose access was removed can ask again, and the person decides again", async () => {
  const arranged = await arrange();
  const context = contextOf(arranged);
  await obtainToken(arranged);
  const [grant] = await grantsOf(context);
  await run(revokeGrant, context, { id: grant?.id });
  expect((await callApi(await obtainToken(arranged))).status).toBe(200);
  expect((await grantsOf(context))[0]?.id).not.toBe(grant?.id);
});

test("the access that another person has given the same app is neither shown nor removed", async () => {
  const arranged = await arrange();
  const colleague = await colleagueOf(arranged);
  const [own, theirs] = [await obtainToken(arranged), await obtainToken(colleague)];
  const [ownGrant] = await grantsOf(contextOf(arranged));
  const [theirGrant] = await grantsOf(contextOf(colleague, "member"));
  expect(ownGrant).toMatchObject({ live_tokens: 1 });

  await expect(run(revokeGrant, contextOf(arranged), { id: theirGrant?.id })).rejects.toMatchObject({
    code: "not_found",
  });
  await run(revokeGrant, contextOf(colleague, "member"), { id: theirGrant?.id });
  expect((await callApi(theirs)).status).toBe(401);
  expect((await callApi(own)).status).toBe(200);
  // The last use is recorded a moment later.
  expect(await grantsOf(contextOf(arranged))).toEqual([
    { ...ownGrant, last_used_at: expect.toBeOneOf([null, expect.any(String)]) },
  ]);
});

test("the access of the same person's other apps stays", async () => {
  const arranged = await arrange();
  const other = { ...arranged, client: await register(arranged, "Billing") };
  await obtainToken(arranged);
  const token = await accessTokenOf(await exchange(other, await obtainCode(other)));
  const grants = await grantsOf(contextOf(arranged));
  expect(grants.map(({ client_name }) => client_name)).toEqual(["Billing", "Reporting"]);
  await run(revokeGrant, contextOf(arranged), { id: grants[1]?.id });
  expect((await callApi(token)).status).toBe(200);
});

test("another organization's id is not found, and neither is an invalid one", async () => {
  const arranged = await arrange();
  const token = await obtainToken(arranged);
  const [grant] = await grantsOf(contextOf(arranged));
  const stranger = await createContext();
  for (const context of [stranger, { ...stranger, userId: arranged.userId }]) {
    expect(await grantsOf(context)).toEqual([]);
    for (const id of [grant?.id, newId(), "no-id"]) {
      await expect(run(revokeGrant, context, { id })).rejects.toMatchObject({ code: "not_found" });
    }
  }
  expect((await callApi(token)).status).toBe(200);
});

test("an access token can neither list nor remove the apps that its person has allowed", async () => {
  const context = { ...(await createContext()), clientId: newId() };
  await expect(run(listGrants, context)).rejects.toMatchObject({ code: "forbidden" });
  await expect(run(revokeGrant, context, { id: newId() })).rejects.toMatchObject({ code: "forbidden" });
});

test("an app that an admin has revoked is no longer listed", async () => {
  const arranged = await arrange();
  await obtainToken(arranged);
  await run(revokeClient, contextOf(arranged), { id: arranged.client.id });
  expect(await grantsOf(contextOf(arranged))).toEqual([]);
});

test("a grant shows what the app may do now, without access that has ended", async () => {
  const arranged = await arrange();
  const context = contextOf(arranged);
  await obtainToken(arranged, { scope: "crm:write" });
  await obtainToken(arranged, { scope: "crm:read" });
  expect((await grantsOf(context))[0]?.scopes).toEqual(["crm:read", "crm:write"]);
  await pool().query("UPDATE oauth_tokens SET expires_at = now() WHERE user_id = $1", [arranged.userId]);
  await obtainToken(arranged, { scope: "crm:read" });
  expect((await grantsOf(context))[0]?.scopes).toEqual(["crm:read"]);
});
