import jsforce, { type Connection, type Schema } from "jsforce";
import { QueryJobV2 } from "jsforce/lib/api/bulk2.js";
import { afterAll, beforeAll, expect, test } from "vitest";

import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

const SEED = 9;
const SIZE = 4000;
const POLLING = { pollInterval: 10, pollTimeout: 10_000 };

let org: RunningOrg;
let connection: Connection;

beforeAll(async () => {
  org = await startSandboxOrg({ records: SIZE, seed: SEED, bulkPolls: 3 });
  connection = new jsforce.Connection({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, version: "62.0" });
});
afterAll(() => org.stop());

/** Reads CSV with quoted cells, doubled quotes, and line breaks in cells. */
function parseCsv(text: string, delimiter = ","): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    expect(text[at]).toBe('"');
    let cell = "";
    for (at += 1; !(text[at] === '"' && text[at + 1] !== '"'); at += 1) {
      cell += text[at];
      if (text[at] === '"') at += 1;
    }
    row.push(cell);
    at += 1;
    if (text[at] === delimiter) at += 1;
    else {
      rows.push(row);
      row = [];
      at += text.startsWith("\r\n", at) ? 2 : 1;
    }
  }
  return rows;
}

const api = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(
    path.startsWith("/")
      ? org.instanceUrl + path
      : `${org.instanceUrl}/services/data/v62.0/jobs/query${path ? `/${path}` : ""}`,
    {
      ...init,
      headers: { Authorization: `Bearer ${org.accessToken}`, "Content-Type": "application/json", ...init.headers },
    },
  );

const openJob = async (
  query: string,
  operation: "query" | "queryAll" = "queryAll",
  more: object = {},
): Promise<QueryJobV2<Schema>> => {
  const job = new QueryJobV2(connection, { bodyParams: { query, operation, ...more }, pollingOptions: POLLING });
  await job.open();
  return job;
};

async function completed(
  query: string,
  operation: "query" | "queryAll" = "queryAll",
  more: object = {},
): Promise<string> {
  const job = await openJob(query, operation, more);
  while ((await job.check()).state !== "JobComplete");
  return job.id ?? "";
}

async function pages(
  id: string,
  maxRecords: number,
  delimiter = ",",
): Promise<{ header: string[]; rows: string[][]; count: number }[]> {
  const found: { header: string[]; rows: string[][]; count: number }[] = [];
  for (let locator: string | null = ""; locator !== "null";) {
    const response = await api(`${id}/results?maxRecords=${maxRecords}${locator ? `&locator=${locator}` : ""}`);
    expect(response.headers.get("content-type")).toBe("text/csv");
    const [header = [], ...rows] = parseCsv(await response.text(), delimiter);
    found.push({ header, rows, count: Number(response.headers.get("sforce-numberofrecords")) });
    locator = response.headers.get("sforce-locator");
  }
  return found;
}

test("a job goes through its states, and its pages contain every record, each page with a header", async () => {
  const job = await openJob(
    "SELECT Id, Subject, Description, CreatedDate, IsClosed, Owner.Name, Severity_Score__c FROM Case ORDER BY Id",
  );
  const states = [(await job.check()).state, (await job.check()).state];
  const last = await job.check();
  expect([...states, last.state]).toEqual(["InProgress", "InProgress", "JobComplete"]);
  const { total } = countOf(SEED, SIZE, "Case");
  expect(last.numberRecordsProcessed).toBe(total);
  const all = await pages(job.id ?? "", 97);
  expect(all).toHaveLength(Math.ceil(total / 97));
  for (const { header, rows, count } of all) {
    expect(header).toEqual([
      "Id",
      "Subject",
      "Description",
      "CreatedDate",
      "IsClosed",
      "Owner.Name",
      "Severity_Score__c",
    ]);
    expect(rows).toHaveLength(count);
  }
  const rows = all.flatMap((page) => page.rows);
  expect(rows).toHaveLength(total);
  for (const [n, row] of rows.entries()) {
    const truth = recordAt(SEED, SIZE, "Case", n);
    expect(row[0]).toBe(truth["Id"]);
    expect(row[1]).toBe(truth["Subject"] ?? "");
    expect(row[2]).toBe(truth["Description"] ?? "");
    expect(row[3]).toBe(String(truth["CreatedDate"]).replace("+0000", "Z"));
    expect(row[4]).toBe(String(truth["IsClosed"]));
    expect(row[6]).toBe(String(truth["Severity_Score__c"] ?? ""));
  }
});

test("query leaves out records that queryAll returns", async () => {
  const id = await completed("SELECT Id FROM Task", "query");
  expect((await pages(id, 50_000))[0]?.count).toBe(countOf(SEED, SIZE, "Task").visible);
});

test("a page can be read again, in any order, and pages can be fetched in parallel", async () => {
  const id = await completed("SELECT Id FROM Contact WHERE IsDeleted = false");
  const all = (await pages(id, 100)).flatMap(({ rows }) => rows);
  const links = (await (await api(`${id}/resultPages?maxRecords=100`)).json()) as {
    resultPages: { resultLink: string }[];
    done: boolean;
  };
  expect(links.resultPages).toHaveLength(5);
  const texts = await Promise.all(
    links.resultPages
      .toReversed()
      .map(async ({ resultLink }) => parseCsv(await (await api(resultLink)).text()).slice(1)),
  );
  expect(texts.toReversed().flat()).toEqual(all.slice(0, 500));
});

test("delimiters and line endings are as requested", async () => {
  const id = await completed("SELECT Id, Name FROM Account LIMIT 3", "query", {
    columnDelimiter: "TAB",
    lineEnding: "CRLF",
  });
  const text = await (await api(`${id}/results`)).text();
  expect(text.split("\r\n")).toHaveLength(5);
  expect(text.startsWith('"Id"\t"Name"\r\n')).toBe(true);
});

test("an answer without records is only a header", async () => {
  const id = await completed("SELECT Id FROM Account WHERE Name = 'nobody has this name'");
  const response = await api(`${id}/results`);
  expect([
    await response.text(),
    response.headers.get("sforce-locator"),
    response.headers.get("sforce-numberofrecords"),
  ]).toEqual(['"Id"\n', "null", "0"]);
});

test("results of an unfinished job, an aborted job, or another API version are refused", async () => {
  const early = await openJob("SELECT Id FROM Account");
  const refused = await api(`${early.id}/results`);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    [expect.objectContaining({ errorCode: "INVALIDJOBSTATE" })],
  ]);
  expect(await (await api(early.id, { method: "PATCH", body: '{"state":"Aborted"}' })).json()).toMatchObject({
    state: "Aborted",
  });
  expect((await api(`${early.id}/results`)).status).toBe(400);
  const id = await completed("SELECT Id FROM Account");
  expect((await api(`/services/data/v63.0/jobs/query/${id}/results`)).status).toBe(409);
});

test("a deleted job is not found", async () => {
  const id = await completed("SELECT Id FROM Account");
  expect((await api(id, { method: "DELETE" })).status).toBe(204);
  expect((await api(id)).status).toBe(404);
});

test.each([
  ["SELECT Status, COUNT(Id) FROM Case GROUP BY Status", "API_ERROR"],
  ["SELECT Id FROM Case OFFSET 5", "API_ERROR"],
  ["SELECT Id, BillingAddress FROM Account", "FEATURENOTENABLED"],
  ["SELECT Id, (SELECT Id FROM Contacts) FROM Account", "API_ERROR"],
  ["SELECT Nope FROM Account", "INVALID_FIELD"],
])("%s is not for Bulk", async (query, errorCode) => {
  await expect(openJob(query)).rejects.toMatchObject({ errorCode });
});

test("a fault rule makes a job fail with a reason", async () => {
  await org.setRules([
    { path: "/jobs/query", method: "POST", object: "Account", action: "fail-job", body: "Batch failed: too wide" },
  ]);
  const job = await openJob("SELECT Id FROM Account");
  const states: unknown[] = [];
  for (let i = 0; i < 3; i++) states.push(await (await api(job.id)).json());
  expect(states.at(-1)).toMatchObject({
    state: "Failed",
    errorMessage: "Batch failed: too wide",
    numberRecordsProcessed: 0,
  });
  await org.setRules([]);
});

const idsOf = async (id: string): Promise<string[]> =>
  (await pages(id, 500)).flatMap(({ rows }) => rows.map(([first]) => first ?? ""));

test("without ORDER BY the chunks of a result come in any order; a change after the job moves no locator", async () => {
  const [unordered, ordered] = [
    await completed("SELECT Id FROM Task"),
    await completed("SELECT Id FROM Task ORDER BY Id"),
  ];
  const [loose, sorted] = [await idsOf(unordered), await idsOf(ordered)];
  expect(sorted).toEqual(sorted.toSorted());
  expect(loose).not.toEqual(sorted);
  expect(loose.toSorted()).toEqual(sorted);
  await org.mutate({ op: "delete", object: "Task", id: sorted[0] ?? "" });
  const queried = await completed("SELECT Id FROM Task WHERE IsDeleted = false ORDER BY Id", "query");
  const before = await idsOf(queried);
  await org.mutate({ op: "delete", object: "Task", id: before[0] ?? "" });
  expect(await idsOf(queried)).toEqual(before);
});

test("results are compressed for those who accept it, if the org is started so", async () => {
  const packing = await startSandboxOrg({ records: 500, seed: SEED, bulkPolls: 0, gzipResults: true });
  try {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${packing.instanceUrl}/services/data/v62.0/jobs/query${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${packing.accessToken}`, "Accept-Encoding": "gzip" },
      });
    const { id } = (await (
      await ask("", { method: "POST", body: JSON.stringify({ operation: "query", query: "SELECT Id FROM Account" }) })
    ).json()) as { id: string };
    await ask(`/${id}`);
    const results = await ask(`/${id}/results`);
    expect(results.headers.get("content-encoding")).toBe("gzip");
    expect(parseCsv(await results.text())[0]).toEqual(["Id"]);
    await packing.expireJobs();
    expect((await ask(`/${id}`)).status).toBe(404);
  } finally {
    await packing.stop();
  }
});
