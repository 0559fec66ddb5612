import jsforce, { type Connection } from "jsforce";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { PRESETS, type PresetName } from "@/sandbox-org/faults/presets";
import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

let org: RunningOrg;
let connection: Connection;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 2000, pageSize: 200 });
  connection = new jsforce.Connection({
    instanceUrl: org.instanceUrl,
    accessToken: org.accessToken,
    version: "62.0",
    maxRequest: 1,
  });
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

/** A plain GET, without a client that retries. */
const get = (path: string, signal: AbortSignal | null = null): Promise<Response> =>
  fetch(`${org.instanceUrl}/services/data/v62.0${path}`, {
    headers: { Authorization: `Bearer ${org.accessToken}` },
    signal,
  });
const ask = (soql: string): Promise<Response> => get(`/query?q=${encodeURIComponent(soql)}`);
const statuses = async (count: number, soql = "SELECT Id FROM Case LIMIT 1"): Promise<number[]> => {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push((await ask(soql)).status);
  return found;
};

test.each(Object.keys(PRESETS) as PresetName[])("the preset %s answers its status and body", async (preset) => {
  await org.setRules([{ preset }]);
  const response = await ask("SELECT Id FROM Account");
  const { status, body } = PRESETS[preset];
  expect(response.status).toBe(status);
  const text = await response.text();
  expect(typeof body === "string" ? text : JSON.parse(text)).toEqual(body);
});

test("jsforce reports the code of a preset", async () => {
  await org.setRules([{ preset: "API_DISABLED_FOR_ORG" }]);
  await expect(connection.describeGlobal()).rejects.toMatchObject({
    errorCode: "API_DISABLED_FOR_ORG",
    message: "The REST API is not enabled for this Organization.",
  });
});

test("a rule can start after n requests, end after n faults, and affect every n-th request", async () => {
  await org.setRules([{ object: "Case", preset: "QUERY_TIMEOUT", after: 2, times: 2 }]);
  expect(await statuses(6)).toEqual([200, 200, 400, 400, 200, 200]);
  await org.setRules([{ object: "Case", preset: "SERVER_UNAVAILABLE", every: 3 }]);
  expect(await statuses(6)).toEqual([200, 200, 503, 200, 200, 503]);
});

test("a rule can affect random requests, the same ones each time", async () => {
  const rules = [{ object: "Case", preset: "UNKNOWN_EXCEPTION", probability: 0.4 }] as const;
  await org.setRules(rules);
  const first = await statuses(40);
  await org.setRules(rules);
  expect(await statuses(40)).toEqual(first);
  const affected = first.filter((status) => status === 500).length;
  expect(affected).toBeGreaterThan(5);
  expect(affected).toBeLessThan(30);
});

test("a rule can match one object: in queries, their further pages, describes and records", async () => {
  const { nextRecordsUrl = "" } = (await (await ask("SELECT Id FROM Contact")).json()) as { nextRecordsUrl?: string };
  await org.setRules([{ object: "Contact", preset: "REQUEST_LIMIT_EXCEEDED" }]);
  expect(await statuses(1, "SELECT Id, Account.Name FROM Contact WHERE AccountId IN (SELECT Id FROM Account)")).toEqual(
    [403],
  );
  expect(await statuses(1, "SELECT Id, (SELECT Id FROM Contacts) FROM Account LIMIT 1")).toEqual([200]);
  expect((await get("/sobjects/Contact/describe")).status).toBe(403);
  expect((await get("/sobjects/Case/describe")).status).toBe(200);
  expect((await get(nextRecordsUrl.replace("/services/data/v62.0", ""))).status).toBe(403);
});

test("a rule can match a path, a method or part of the query", async () => {
  await org.setRules([
    { path: "/limits", status: 418, body: { teapot: true } },
    { pathPattern: "describe$", status: 503 },
    { soql: "count()", method: "get", preset: "INSUFFICIENT_ACCESS" },
  ]);
  expect(await (await get("/limits")).json()).toEqual({ teapot: true });
  expect((await get("/sobjects/Case/describe")).status).toBe(503);
  expect(await statuses(1, "SELECT COUNT() FROM Case")).toEqual([403]);
  expect(await statuses(1)).toEqual([200]);
});

test("a rule can reset the connection, truncate the answer, or never answer", async () => {
  await org.setRules([{ action: "reset", times: 1 }]);
  await expect(ask("SELECT Id FROM Account")).rejects.toThrow("fetch failed");
  await org.setRules([{ action: "truncate", times: 1 }]);
  const cut = await ask("SELECT Id FROM Account");
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow("terminated");
  await org.setRules([{ action: "hang" }]);
  await expect(get("/limits", AbortSignal.timeout(200))).rejects.toThrow("timeout");
});

test("a rule with only a delay delays the ordinary answer", async () => {
  await org.setRules([{ delayMs: 150 }]);
  const started = performance.now();
  expect((await get("/limits")).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(140);
});

test("an object hidden from the user does not exist for that user", async () => {
  await org.setRules({ access: { hiddenObjects: ["Case"] } });
  const { sobjects } = await connection.describeGlobal();
  expect(sobjects.map(({ name }) => name)).not.toContain("Case");
  await expect(connection.query("SELECT Id FROM Case")).rejects.toMatchObject({
    errorCode: "INVALID_TYPE",
    message: expect.stringContaining("sObject type 'Case' is not supported.") as string,
  });
  expect((await get("/sobjects/Case/describe")).status).toBe(404);
  expect(await (await get("/limits/recordCount?sObjects=Case")).json()).toEqual({ sObjects: [] });
});

test("a field hidden from the user is not described, and unknown to queries", async () => {
  await org.setRules({ access: { hiddenFields: { Contact: ["Email"] } } });
  const { fields } = await connection.describe("Contact");
  expect(fields.map(({ name }) => name)).not.toContain("Email");
  await expect(connection.query("SELECT Id, Email FROM Contact")).rejects.toMatchObject({ errorCode: "INVALID_FIELD" });
});

test("the daily limit is enforced", async () => {
  const small = await startSandboxOrg({ records: 100, dailyLimit: 3 });
  const call = (): Promise<Response> =>
    fetch(`${small.instanceUrl}/services/data/v62.0/limits`, {
      headers: { Authorization: `Bearer ${small.accessToken}` },
    });
  const answers = [await call(), await call(), await call(), await call()];
  await small.stop();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403]);
  expect(answers.map(({ headers }) => headers.get("sforce-limit-info"))).toEqual([
    "api-usage=1/3",
    "api-usage=2/3",
    "api-usage=3/3",
    "api-usage=4/3",
  ]);
});

test("the stats count requests by kind", async () => {
  await org.resetStats();
  await statuses(3);
  await get("/sobjects/Case/describe");
  expect(await org.stats()).toMatchObject({
    api_calls: 4,
    requests: { "GET /query": 3, "GET /sobjects/Case/describe": 1 },
  });
});
