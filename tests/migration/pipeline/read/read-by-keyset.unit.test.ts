import { afterEach, expect, test } from "vitest";

import { readByBulk } from "@/lib/migration/pipeline/read/read-by-bulk";
import { nextPageSize, type PageSize, readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { startHost, stopHosts } from "@/tests/support/hosts";

afterEach(stopHosts);

function clientOf(instanceUrl: string): SalesforceClient {
  return openClient({
    instanceUrl,
    accessToken: "token",
    apiVersion: "67.0",
    timeoutMs: 20_000,
    retry: { retries: 0 },
  });
}

async function clientAnswered(body: string): Promise<SalesforceClient> {
  return clientOf(await startHost((_request, response) => response.end(body)));
}

function idOf(number: number): string {
  return `500${String(number).padStart(12, "0")}AAA`;
}

test.each([
  ["is not a Salesforce id", "5".repeat(10_000)],
  ["has 15 characters, which would be stored a second time,", idOf(1).slice(0, 15)],
])("a record whose Id %s is refused", async (_, Id) => {
  const client = await clientAnswered(JSON.stringify({ totalSize: 1, done: true, records: [{ Id }] }));
  const reading = readByKeyset(client, { from: "Case", fields: ["Id"], after: null, all: true, size: { records: 2 } });
  await expect(reading.next()).rejects.toMatchObject({ code: "source_not_salesforce" });
});

test("records that are too large for a page are requested in smaller pages, down to a single one", async () => {
  const asked: number[] = [];
  const url = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    const limit = Number(/LIMIT (\d+)/.exec(soql)?.[1]);
    asked.push(limit);
    const after = Number(/Id > '500(\d+)AAA'/.exec(soql)?.[1] ?? 0);
    const records = Array.from({ length: Math.min(limit, 3 - after) }, (_, n) => ({
      Id: idOf(after + n + 1),
      Text: "x".repeat(10_000_000),
    }));
    response.end(JSON.stringify({ totalSize: records.length, done: true, records }));
  });
  const read = { from: "Case", fields: ["Id", "Text"], after: null, all: true, size: { records: 60 } };
  const ids: unknown[] = [];
  for await (const page of readByKeyset(clientOf(url), read)) ids.push(...page.map(({ Id }) => Id));
  expect(ids).toEqual([1, 2, 3].map(idOf));
  expect(asked.slice(0, 6)).toEqual([60, 30, 15, 7, 3, 1]);
});

const FAULT = JSON.stringify([{ errorCode: "UNKNOWN_EXCEPTION", message: "An unexpected error occurred." }]);

/** A source of 100 records that fails at queries by a rule: of which records, and whether for more than their ids. */
async function failing(isFault: (records: number[], soql: string) => boolean) {
  const asked: string[] = [];
  const url = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    asked.push(soql);
    const after = Number(/Id > '500(\d+)AAA'/.exec(soql)?.[1] ?? 0);
    const limit = Math.min(Number(/LIMIT (\d+)/.exec(soql)?.[1]), 100 - after);
    const records = Array.from({ length: limit }, (_, n) => after + n + 1);
    if (isFault(records, soql)) return response.writeHead(500).end(FAULT);
    const page = records.map((number) => ({ Id: idOf(number), Score__c: 1 }));
    return response.end(JSON.stringify({ totalSize: limit, done: true, records: page }));
  });
  const read = { from: "Case", fields: ["Id", "Score__c"], after: null, all: true, size: { records: 64 } };
  const ids: unknown[] = [];
  const reading = (async () => {
    for await (const page of readByKeyset(clientOf(url), read)) ids.push(...page.map(({ Id }) => Id));
  })();
  const error: unknown = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { asked, ids, error };
}

test("where Salesforce fails at one record, all before it are read, and it is named", async () => {
  const { ids, error } = await failing((records, soql) => soql.includes("Score__c") && records.includes(70));
  expect(ids).toEqual(Array.from({ length: 69 }, (_, n) => idOf(n + 1)));
  expect(error).toMatchObject({ errorCode: "UNKNOWN_EXCEPTION", message: expect.stringContaining(idOf(70)) });
  // A run waits as in an outage before it fails.
  expect(error).toMatchObject({ transient: true });
});

test("a page at which Salesforce fails for its number of records only is read in parts", async () => {
  const { ids, error } = await failing((records) => records.length > 20);
  expect([error, ids.length]).toEqual([null, 100]);
});

test("in an outage a page is not asked for in parts", async () => {
  const { asked, error } = await failing(() => true);
  expect(asked.map((soql) => /LIMIT (\d+)/.exec(soql)?.[1])).toEqual(["64", "1"]);
  expect(error).toMatchObject({ transient: true, message: expect.not.stringContaining("at the record") });
});

test("a reading ends by the signal of whoever waits for it, also while a page is asked for", async () => {
  const hanging = new AbortController();
  const url = await startHost(() => hanging.abort());
  const read = { from: "Case", fields: ["Id"], after: null, all: true, size: { records: 2 }, signal: hanging.signal };
  await expect(readByKeyset(clientOf(url), read).next()).rejects.toMatchObject({ name: "AbortError" });
});

test("a page with unexpected compression or too deep nesting is requested once", async () => {
  for (const [packing, body] of [
    ["br", "{}"],
    ["identity", "[".repeat(40)],
  ]) {
    let asked = 0;
    const url = await startHost((_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-encoding": packing }).end(body);
    });
    const reading = readByKeyset(clientOf(url), {
      from: "Case",
      fields: ["Id"],
      after: null,
      all: true,
      size: { records: 2000 },
    });
    await expect(reading.next()).rejects.toMatchObject({ code: "source_not_salesforce" });
    expect(asked).toBe(1);
  }
});

test("a source that repeats pages is detected, whatever the checksums of its ids are", async () => {
  const around = [idOf(1), idOf(2), idOf(3), idOf(2).replace("AAA", "EAA"), idOf(3)];
  let asked = 0;
  const url = await startHost((_request, response) => {
    const Id = around[asked++ % around.length];
    response.end(JSON.stringify({ totalSize: 1, done: true, records: [{ Id }] }));
  });
  const read = { from: "Case", fields: ["Id"], after: null, all: true, size: { records: 1 } };
  const reading = async () => {
    for await (const page of readByKeyset(clientOf(url), read)) expect(page).toHaveLength(1);
  };
  await expect(reading()).rejects.toMatchObject({
    code: "source_error",
    message: expect.stringContaining("same page of Case again"),
  });
  expect(asked).toBeLessThan(7);
});

test("ids are read in the order of Salesforce: digits, capitals, small letters", async () => {
  const ids = ["9", "A", "Z", "a", "z"].map((last) => `${idOf(0).slice(0, 14)}${last}AAA`);
  const url = await startHost((request, response) => {
    const after = /Id > '(\w+)'/.exec(new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "")?.[1];
    const records = ids
      .slice(after === undefined ? 0 : ids.indexOf(after) + 1)
      .slice(0, 1)
      .map((Id) => ({ Id }));
    response.end(JSON.stringify({ totalSize: records.length, done: true, records }));
  });
  const read = { from: "Case", fields: ["Id"], after: null, all: true, size: { records: 1 } };
  const seen: unknown[] = [];
  for await (const page of readByKeyset(clientOf(url), read)) seen.push(...page.map(({ Id }) => Id));
  expect(seen).toEqual(ids);
});

test("a page with more records than requested is refused", async () => {
  const client = await clientAnswered(
    JSON.stringify({ totalSize: 3, done: true, records: [{ Id: "1" }, { Id: "2" }, { Id: "3" }] }),
  );
  const reading = readByKeyset(client, { from: "Case", fields: ["Id"], after: null, all: true, size: { records: 2 } });
  await expect(reading.next()).rejects.toMatchObject({
    code: "source_not_salesforce",
    message: expect.stringContaining("more records of"),
  });
});

const DECADE = 3660 * 86_400_000;

/** Records created over 25 years. A search through more than ten of them times out. */
const AGED = Array.from({ length: 230 }, (_, n) => ({
  Id: idOf(n + 1),
  CreatedDate: Date.UTC(2001 + ((n * 7) % 25), n % 12, 1),
}));

function searchAged(soql: string): typeof AGED | null {
  const [from, to] = [momentIn(soql, ">=", "1999-01-01T00:00:00Z"), momentIn(soql, "<", "2027-01-01T00:00:00Z")];
  if (to - from > DECADE) return null;
  const after = /Id > '(\w+)'/.exec(soql)?.[1] ?? "";
  const found = AGED.filter(({ Id, CreatedDate }) => Id > after && CreatedDate >= from && CreatedDate < to);
  return found.slice(0, Number(/LIMIT (\d+)/.exec(soql)?.[1]));
}

function momentIn(soql: string, operator: string, absent: string): number {
  return Date.parse(new RegExp(`CreatedDate ${operator} ([\\w:-]+)`).exec(soql)?.[1] ?? absent);
}

test.each([
  ["", Infinity],
  [", though Salesforce shortens answers of one half", 7],
])("a query that times out even for the fewest records is halved by time, and both are read%s", async (_, most) => {
  const url = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    const found = searchAged(soql);
    const records = found?.slice(0, soql.includes("CreatedDate >=") ? Infinity : most);
    const answer = { totalSize: found?.length, done: records?.length === found?.length, records };
    if (records) response.end(JSON.stringify(answer));
    else response.writeHead(400).end(JSON.stringify([{ errorCode: "QUERY_TIMEOUT", message: "too long" }]));
  });
  const read = { from: "Case", fields: ["Id", "CreatedDate"], after: null, all: true, size: { records: 400 } };
  const ids: unknown[] = [];
  for await (const page of readByKeyset(clientOf(url), read)) ids.push(...page.map(({ Id }) => Id));
  expect(ids).toEqual(AGED.map(({ Id }) => Id));
});

test("results of a job with an id of 15 characters are refused too", async () => {
  const url = await startHost((_request, response) => response.end(`"Id"\n"${idOf(1).slice(0, 15)}"\n`));
  const read = { from: "Case", fields: ["Id"], types: {}, after: null, size: { records: 2 } };
  const job = { id: idOf(0), created_at: "", requested: 1, records: 1, locator: null };
  const reading = readByBulk(clientOf(url), read, { job, limit: 1, failures: 0, ended: false });
  await expect(reading.next()).rejects.toMatchObject({ code: "source_error", errorCode: "UNORDERED_RESULTS" });
});

test.each([
  [2000, 10_000],
  [100, 1000],
  [31, 500],
])("with pages of %i records, results of jobs are opened for %i at once", async (records, max) => {
  let asked = "";
  const url = await startHost((request, response) => {
    asked = request.url ?? "";
    response.end(`"Id"\n"${idOf(1)}"\n`);
  });
  const read = { from: "Case", fields: ["Id"], types: {}, after: null, size: { records } };
  const job = { id: idOf(0), created_at: "", requested: 1, records: 1, locator: null };
  const reading = readByBulk(clientOf(url), read, { job, limit: 1, failures: 0, ended: false });
  expect(await reading.next()).toMatchObject({ value: { records: [{ Id: idOf(1) }] } });
  expect(new URL(asked, url).searchParams.get("maxRecords")).toBe(String(max));
});

test("a query that times out for many records is not asked for as many again", async () => {
  const asked: number[] = [];
  const url = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    const after = Number(/Id > '500(\d+)AAA'/.exec(soql)?.[1] ?? 0);
    const limit = Number(/LIMIT (\d+)/.exec(soql)?.[1]);
    asked.push(limit);
    if (limit > 100) return response.writeHead(400).end(JSON.stringify([{ errorCode: "QUERY_TIMEOUT", message: "" }]));
    const records = Array.from({ length: Math.min(limit, 400 - after) }, (_, n) => ({ Id: idOf(after + n + 1) }));
    return response.end(JSON.stringify({ totalSize: records.length, done: true, records }));
  });
  const size: PageSize = { records: 250 };
  const read = { from: "Case", fields: ["Id"], after: null, all: true, size };
  for await (const page of readByKeyset(clientOf(url), read)) size.records = nextPageSize(page.length, 1, size.max);
  expect(asked.slice(0, 3)).toEqual([250, 125, 62]);
  expect(asked.length).toBeGreaterThan(6);
  expect(Math.max(...asked.slice(2))).toBe(62);
});
