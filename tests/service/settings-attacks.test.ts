import { beforeAll, expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";
import { type Grant, grantTo } from "@/tests/service/support/grant-to";
import { type OwnOrganization, ownOrganization } from "@/tests/service/setup/own-organization";
import type { NewApiClient } from "@/tests/service/support/settings-api";

// The settings over real HTTP, as somebody uses them who means ill.

const { base_url: baseUrl } = readDemo();
const redirectUri = "http://127.0.0.1:53686/callback";
const REGISTRATION = { name: "Mine", redirect_uris: [redirectUri], scopes: ["crm:read"] };

let own: OwnOrganization;
let stranger: OwnOrganization;
let client: NewApiClient;
let grant: Grant;
let calls: Call[];

type Call = [method: string, path: string, body?: object];

beforeAll(async () => {
  [own, stranger] = [await ownOrganization(baseUrl), await ownOrganization(baseUrl)];
  client = await own.admin.settings.register(redirectUri, ["crm:read", "crm:write"]);
  grant = await grantTo(own.admin.browser, { baseUrl, client, redirectUri });
  const secrets = (await own.admin.settings.call("GET", `clients/${client.id}`)).body.secrets as { id: string }[];
  const grants = (await own.admin.settings.call("GET", "grants")).body.data as { id: string }[];
  calls = [
    ["GET", `clients/${client.id}`],
    ["PATCH", `clients/${client.id}`, { name: "Taken over" }],
    ["POST", `clients/${client.id}/rotate_secret`, {}],
    ["DELETE", `clients/${client.id}/secrets/${secrets[0]?.id}`],
    ["DELETE", `grants/${grants[0]?.id}`],
    ["DELETE", `clients/${client.id}`],
    ["GET", "clients"],
    ["POST", "clients", REGISTRATION],
    ["GET", "audit_events"],
    ["GET", "members"],
    ["POST", "members", { name: "Eve", email: "eve@own.example", role: "admin" }],
    ["PATCH", `members/${own.member.userId}`, { role: "admin" }],
    ["POST", `members/${own.member.userId}/password_link`, {}],
    ["POST", `members/${own.member.userId}/end_sessions`, {}],
    ["DELETE", `members/${own.member.userId}`],
  ];
});

async function statusOf([method, path, body]: Call, headers: Record<string, string>): Promise<number> {
  const type = body && { "content-type": "application/json" };
  const url = new URL(`/api/v1/settings/${path}`, baseUrl);
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function statusesWith(headers: Record<string, string>, of = calls): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of of) statuses.push(await statusOf(call, headers));
  return statuses;
}

/** Asserts that none of the attempts had an effect. */
async function expectUnharmed(): Promise<void> {
  const { status, body } = await own.admin.settings.call("GET", `clients/${client.id}`);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ name: "Independent client", live_tokens: 1, allowed_by: 1 }),
  ]);
  expect(body.secrets).toHaveLength(1);
}

test("settings refuse no sign-in, an access token, and one beside an admin's cookie", async () => {
  const cookie = own.admin.browser.cookieHeader();
  const authorization = `Bearer ${grant.accessToken}`;
  expect(await statusesWith({})).toEqual(calls.map(() => 401));
  expect(await statusesWith({ authorization })).toEqual(calls.map(() => 403));
  expect(await statusesWith({ authorization, cookie, origin: baseUrl })).toEqual(calls.map(() => 403));
  await expectUnharmed();
});

test("a member has no access to clients, the audit log, or other people's grants", async () => {
  const statuses = await statusesWith({ cookie: own.member.browser.cookieHeader(), origin: baseUrl });
  expect(statuses).toEqual(calls.map(([, path]) => (path.startsWith("grants/") ? 404 : 403)));
  await expectUnharmed();
});

test("an admin of another organization finds nothing by id or in lists", async () => {
  const byId = calls.filter(([, path]) => path.includes("/"));
  expect(await statusesWith({ cookie: stranger.admin.browser.cookieHeader(), origin: baseUrl }, byId)).toEqual(
    byId.map(() => 404),
  );
  const lists = [
    "clients",
    "grants",
    "audit_events",
    `audit_events?client_id=${client.id}`,
    `audit_events?user_id=${own.admin.userId}`,
  ];
  for (const path of lists) {
    const { body } = await stranger.admin.settings.call("GET", path);
    const text = JSON.stringify(body);
    expect(
      [client.id, client.client_id, own.admin.userId, own.admin.email].filter((known) => text.includes(known)),
    ).toEqual([]);
  }
  await expectUnharmed();
});

test.each<Record<string, string>>([
  { origin: "https://elsewhere.example" },
  { origin: "null" },
  { origin: `${baseUrl}.elsewhere.example` },
  {},
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
])("an admin's cookie changes nothing for a request that no page of ours has sent: %j", async (headers) => {
  const changes = calls.filter(([method]) => method !== "GET");
  expect(await statusesWith({ cookie: own.admin.browser.cookieHeader(), ...headers }, changes)).toEqual(
    changes.map(() => 403),
  );
  await expectUnharmed();
});

test.each<object>([
  { scopes: ["crm:read", "crm:write", "erp:read"] },
  { organization_id: "018f0000-0000-7000-8000-000000000000" },
  { client_id: "crm_mine" },
  { client_secret: "mine" },
  { created_by: "somebody@else.example" },
  { revoked_at: null },
  { redirect_uris: Array.from({ length: 1000 }, (_, index) => `${redirectUri}/${index}`) },
  { redirect_uris: ["javascript:alert(1)"] },
  { redirect_uris: ["data:text/html,x"] },
  { redirect_uris: ["http://elsewhere.example/callback"] },
  { name: "Inde\npendent" },
  { name: "\u202Etneilc" },
  { name: "x".repeat(100_000) },
])("an admin cannot set what is not to be set: %j", async (change) => {
  const patched = await own.admin.settings.call("PATCH", `clients/${client.id}`, change);
  const registered = await own.admin.settings.call("POST", "clients", {
    ...REGISTRATION,
    ...("scopes" in change ? { scopes: ["admin"] } : change),
  });
  expect([patched.status, registered.status]).toEqual([400, 400]);
  await expectUnharmed();
});

test("no answer of the settings contains a secret, a code or a token", async () => {
  const secrets = [client.client_secret, grant.accessToken, grant.code, grant.verifier, own.admin.password];
  for (const path of ["clients", `clients/${client.id}`, "grants", "audit_events?limit=200"]) {
    const { status, body } = await own.admin.settings.call("GET", path);
    const text = JSON.stringify(body);
    expect([status, secrets.filter((secret) => text.includes(secret)), text.includes("hash")]).toEqual([
      200,
      [],
      false,
    ]);
  }
});
