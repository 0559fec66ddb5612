import jsforce, { type Connection } from "jsforce";
import { afterAll, beforeAll, expect, test } from "vitest";

import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

const SEED = 5;
const SIZE = 6000;

let org: RunningOrg;
let connection: Connection;

beforeAll(async () => {
  org = await startSandboxOrg({ records: SIZE, seed: SEED, pageSize: 250 });
  connection = new jsforce.Connection({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, version: "62.0" });
});
afterAll(() => org.stop());

interface Fault {
  errorCode: string;
  message: string;
}

async function fault(run: () => PromiseLike<unknown>): Promise<Fault> {
  try {
    await run();
  } catch (error) {
    return error as Fault;
  }
  return expect.fail("It was answered");
}

test("identity names the user and the org", async () => {
  const identity = await connection.identity();
  expect(identity).toMatchObject({ username: "admin@pumps.example.sandbox", user_type: "STANDARD", language: "en_US" });
  expect(identity.organization_id).toMatch(/^00D\w{15}$/);
  const { records } = await connection.query(`SELECT Username, IsActive FROM User WHERE Id = '${identity.user_id}'`);
  expect(records[0]).toMatchObject({ Username: identity.username, IsActive: true });
});

test("describeGlobal lists objects, and describe their fields", async () => {
  const { sobjects } = await connection.describeGlobal();
  expect(sobjects.find(({ name }) => name === "Case")).toMatchObject({
    keyPrefix: "500",
    queryable: true,
    labelPlural: "Cases",
  });
  const described = await connection.describe("EmailMessage");
  expect(described.fields.find(({ name }) => name === "ParentId")).toMatchObject({
    type: "reference",
    referenceTo: ["Case"],
  });
  expect((await fault(() => connection.describe("Nope"))).errorCode).toBe("NOT_FOUND");
});

test("the content of a file has the bytes and the size that its record says", async () => {
  const sizes: number[] = [];
  for (const [object, field, size] of [
    ["Attachment", "Body", "BodyLength"],
    ["ContentVersion", "VersionData", "ContentSize"],
  ] as const) {
    const { records } = await connection.query<Record<string, string | number>>(
      `SELECT Id, ${field}, ${size} FROM ${object} WHERE IsDeleted = false LIMIT 120`,
    );
    for (const record of records) {
      const response = await fetch(`${org.instanceUrl}${String(record[field])}`, {
        headers: { Authorization: `Bearer ${org.accessToken}` },
      });
      expect((await response.arrayBuffer()).byteLength).toBe(record[size]);
      sizes.push(Number(record[size]));
    }
  }
  expect(Math.min(...sizes)).toBe(0);
  expect((await fault(() => connection.request(`/sobjects/Attachment/00P000000000000AAA/Body`))).errorCode).toBe(
    "NOT_FOUND",
  );
});

test("queryMore reads the pages of a query up to the last record", async () => {
  const found: unknown[] = [];
  let page = await connection.query("SELECT Id, LastName FROM Contact ORDER BY Id");
  const { total, deleted } = countOf(SEED, SIZE, "Contact");
  expect(page.totalSize).toBe(total - deleted);
  expect(page.records).toHaveLength(250);
  for (;;) {
    found.push(...page.records.map((record) => record["Id"]));
    if (page.done || page.nextRecordsUrl === undefined) break;
    expect(page.nextRecordsUrl).toMatch(/\/services\/data\/v62\.0\/query\/0r8\w{15}-\d+$/);
    page = await connection.queryMore(page.nextRecordsUrl);
  }
  const expected = Array.from({ length: total }, (_, n) => recordAt(SEED, SIZE, "Contact", n)).filter(
    (record) => record["IsDeleted"] === false,
  );
  expect(found).toEqual(expected.map((record) => record["Id"]));
});

test("a page can be read again, and under either path", async () => {
  const first = await connection.query("SELECT Id FROM Task", { scanAll: true });
  const next = first.nextRecordsUrl ?? "";
  const again = [next, next, next.replace("/query/", "/queryAll/")].map(async (url) =>
    (await connection.request<{ records: { Id: string }[] }>(url)).records.map(({ Id }) => Id),
  );
  const [a, b, c] = await Promise.all(again);
  expect(a).toHaveLength(250);
  expect(b).toEqual(a);
  expect(c).toEqual(a);
});

test("queryAll returns records that query leaves out", async () => {
  const { visible, total } = countOf(SEED, SIZE, "Event");
  expect((await connection.query("SELECT Id FROM Event")).totalSize).toBe(visible);
  expect((await connection.query("SELECT Id FROM Event", { scanAll: true })).totalSize).toBe(total);
});

/** The number of rows on the first page, for a requested batch size. */
const sized = async (batchSize: number): Promise<number> => {
  const headers = { "Sforce-Query-Options": `batchSize=${batchSize}` };
  return (
    await connection.request<{ records: unknown[] }>({ method: "GET", url: "/query?q=SELECT+Id+FROM+Contact", headers })
  ).records.length;
};

test("a client can request smaller pages, not larger ones", async () => {
  expect(await sized(10)).toBe(200);
  expect(await sized(230)).toBe(230);
  expect(await sized(2000)).toBe(250);
});

test("an expired locator is refused", async () => {
  const { nextRecordsUrl = "" } = await connection.query("SELECT Id FROM Contact");
  await org.expireCursors();
  expect(await fault(() => connection.queryMore(nextRecordsUrl))).toMatchObject({
    errorCode: "INVALID_QUERY_LOCATOR",
    message: "invalid query locator",
  });
});

test("one record by id, whole or in part", async () => {
  const truth = recordAt(SEED, SIZE, "Account", 12);
  const id = String(truth["Id"]);
  const { attributes, ...record } = await connection.sobject("Account").retrieve(id);
  expect(record).toEqual(truth);
  expect(attributes).toEqual({ type: "Account", url: `/services/data/v62.0/sobjects/Account/${id}` });
  expect(await connection.request(`/sobjects/Account/${id}?fields=Name`)).toEqual({ attributes, Name: truth["Name"] });
  expect((await fault(() => connection.sobject("Account").retrieve("001000000000000AAA"))).errorCode).toBe("NOT_FOUND");
});

test("recordCount leaves out deleted and archived records, and unknown names", async () => {
  const { sObjects } = await connection.request<{ sObjects: { name: string; count: number }[] }>(
    "/limits/recordCount?sObjects=Task,Account,Nope",
  );
  expect(sObjects).toEqual([
    { count: countOf(SEED, SIZE, "Task").visible, name: "Task" },
    { count: countOf(SEED, SIZE, "Account").visible, name: "Account" },
  ]);
});

test("limits are a resource, and a header of every answer", async () => {
  const { DailyApiRequests } = await connection.limits();
  expect(DailyApiRequests).toMatchObject({ Max: 1_000_000 });
  await connection.query("SELECT Id FROM User LIMIT 1");
  expect(connection.limitInfo.apiUsage).toMatchObject({ limit: 1_000_000 });
  expect(connection.limitInfo.apiUsage?.used).toBeGreaterThan(1_000_000 - (DailyApiRequests?.Remaining ?? 0));
});

test("automation: flows on the data API, rules and triggers on the tooling API", async () => {
  const flows = await connection.query(
    `SELECT ApiName, ProcessType, TriggerObjectOrEventLabel FROM FlowDefinitionView WHERE ActiveVersionId != null
      LIMIT 200`,
  );
  expect(flows.records.map((record) => record["ProcessType"])).toContain("Workflow");
  const rules = await connection.tooling.query("SELECT Id, Name, TableEnumOrId FROM WorkflowRule");
  const envelope = await connection.request<object>("/tooling/query?q=SELECT+Id+FROM+WorkflowRule");
  expect(envelope).toMatchObject({
    size: rules.totalSize,
    totalSize: rules.totalSize,
    entityTypeName: "WorkflowRule",
    queryLocator: null,
    done: true,
  });
  expect(await fault(() => connection.tooling.query("SELECT Metadata FROM WorkflowRule"))).toMatchObject({
    errorCode: "MALFORMED_QUERY",
  });
  const [rule] = rules.records;
  const { records } = await connection.tooling.query(
    `SELECT Metadata FROM WorkflowRule WHERE Id = '${String(rule?.["Id"])}'`,
  );
  expect(records[0]?.["Metadata"]).toMatchObject({ active: true });
  expect(
    (await connection.tooling.query("SELECT Name, Status, UsageBeforeInsert FROM ApexTrigger")).totalSize,
  ).toBeGreaterThan(3);
  const validations = await connection.tooling.query(
    "SELECT ValidationName, Active, EntityDefinition.QualifiedApiName FROM ValidationRule",
  );
  expect(validations.records[0]).toMatchObject({ EntityDefinition: { QualifiedApiName: "Case" } });
});

test("composite and batch answer each part with its own status", async () => {
  const parts = ["SELECT COUNT() FROM Account", "SELECT COUNT() FROM XYZZY"].map((q, i) => ({
    method: "GET",
    referenceId: `part${i}`,
    url: `/services/data/v62.0/query?q=${encodeURIComponent(q)}`,
  }));
  const { compositeResponse } = await connection.requestPost<{
    compositeResponse: { httpStatusCode: number; body: unknown; referenceId: string }[];
  }>("/composite", {
    compositeRequest: parts,
  });
  expect(compositeResponse.map(({ httpStatusCode, referenceId }) => `${referenceId} ${httpStatusCode}`)).toEqual([
    "part0 200",
    "part1 400",
  ]);
  const batch = await connection.requestPost<{
    hasErrors: boolean;
    results: { statusCode: number; result: { name: string } }[];
  }>("/composite/batch", {
    batchRequests: [{ method: "GET", url: "v62.0/sobjects/Case/describe" }],
  });
  expect(batch).toMatchObject({ hasErrors: false, results: [{ statusCode: 200, result: { name: "Case" } }] });
  const [known, missing] = [String(recordAt(SEED, SIZE, "Contact", 3)["Id"]), "003000000000000AAA"];
  const records = await connection.requestPost<unknown[]>("/composite/sobjects/Contact", {
    ids: [missing, known],
    fields: ["Id"],
  });
  expect(records).toEqual([null, expect.objectContaining({ Id: known })]);
});

test("errors have Salesforce's code and message", async () => {
  expect(await fault(() => connection.query("SELECT Nope FROM Account"))).toMatchObject({ errorCode: "INVALID_FIELD" });
  expect((await fault(() => connection.query("SELECT Xyzzy FROM Xyzzy"))).message).toMatch(
    / {18}\^\nERROR at Row:1:Column:19\nsObject type 'Xyzzy' is not supported\./,
  );
  expect(await fault(() => connection.request("/nothing/here"))).toMatchObject({
    errorCode: "NOT_FOUND",
    message: "The requested resource does not exist",
  });
  const stranger = new jsforce.Connection({
    instanceUrl: org.instanceUrl,
    accessToken: "00Dxx!nobody",
    version: "62.0",
  });
  expect(await fault(() => stranger.query("SELECT Id FROM Account"))).toMatchObject({
    errorCode: "INVALID_SESSION_ID",
    message: "Session expired or invalid",
  });
  const old = new jsforce.Connection({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, version: "20.0" });
  expect((await fault(() => old.describeGlobal())).errorCode).toBe("NOT_FOUND");
});

test("If-Modified-Since is answered with 304 and no body", async () => {
  const url = `${org.instanceUrl}/services/data/v62.0/sobjects/Account/describe`;
  const headers = { Authorization: `Bearer ${org.accessToken}` };
  const first = await fetch(url, { headers });
  const changed = first.headers.get("last-modified") ?? "";
  const second = await fetch(url, { headers: { ...headers, "If-Modified-Since": changed } });
  expect([first.status, second.status, await second.text()]).toEqual([200, 304, ""]);
});

test("a query that is too long for a URI is refused", async () => {
  const q = `SELECT Id FROM Account WHERE Name IN (${Array.from({ length: 3000 }, (_, i) => `'name ${i}'`).join(",")})`;
  const response = await fetch(`${org.instanceUrl}/services/data/v62.0/query?q=${encodeURIComponent(q)}`, {
    headers: { Authorization: `Bearer ${org.accessToken}` },
  });
  expect([414, 431]).toContain(response.status);
});

test("the list of versions needs no token", async () => {
  const versions = (await (await fetch(`${org.instanceUrl}/services/data`)).json()) as { version: string }[];
  expect(versions.map(({ version }) => version)).toEqual([
    "60.0",
    "61.0",
    "62.0",
    "63.0",
    "64.0",
    "65.0",
    "66.0",
    "67.0",
  ]);
});
