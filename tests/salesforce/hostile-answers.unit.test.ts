import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, test } from "vitest";

import { Allowance } from "@/lib/salesforce/allowance";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { describeGlobal, describeObject, readLimits, recordCounts } from "@/lib/salesforce/describe";
import { refreshTokens } from "@/lib/salesforce/oauth";
import { findVersion, interactiveTimeouts, probeOrg } from "@/lib/salesforce/probe";
import { count, query } from "@/lib/salesforce/query";
import { startHost, stopHosts } from "@/tests/support/hosts";

afterEach(stopHosts);

const MANY_ZEROS = `[${"0,".repeat(10_000_000)}0]`;

/** A host that returns this answer to every request, compressed by gzip. */
function answering(body: string, status = 200): Promise<string> {
  const packed = gzipSync(body);
  return startHost((_request, response) =>
    response.writeHead(status, { "content-encoding": "gzip", "content-type": "application/json" }).end(packed),
  );
}

function clientOf(instanceUrl: string, allowance?: Allowance): SalesforceClient {
  return openClient({
    ...(allowance && { allowance }),
    instanceUrl,
    accessToken: "token",
    apiVersion: "67.0",
    timeoutMs: 20_000,
    retry: { retries: 0 },
  });
}

async function clientAnswered(body: string, status?: number): Promise<SalesforceClient> {
  return clientOf(await answering(body, status));
}

const KINDS: [string, (client: SalesforceClient) => Promise<unknown>][] = [
  ["/services/data/", ({ origin }) => findVersion(origin)],
  ["the token endpoint", ({ origin }) => refreshTokens(origin, { clientId: "a", clientSecret: "b" }, "c")],
  ["/limits", readLimits],
  ["/limits/recordCount", (client) => recordCounts(client, ["Case"])],
  ["/sobjects", describeGlobal],
  ["/describe", (client) => describeObject(client, "Case")],
  ["/query", (client) => query(client, "SELECT Id FROM Case")],
  ["a count", (client) => count(client, "SELECT COUNT() FROM Case")],
  ["/composite", (client) => query(client, `SELECT Id FROM Case WHERE Subject = '${"x".repeat(15_000)}'`)],
];

describe("gzip of [0,0,0,…], 19 kB when compressed, is refused with a sentence:", () => {
  test.each(KINDS)("from %s", async (_kind, ask) => {
    expect(gzipSync(MANY_ZEROS).byteLength).toBeLessThan(20_000);
    await expect(ask(await clientAnswered(MANY_ZEROS))).rejects.toMatchObject({
      code: "source_not_salesforce",
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ sent another answer than Salesforce does\. It has more than (?:1024|16384) KiB\. Check the/,
      ),
    });
  });

  test.each(KINDS)("and so is the maximum number of them, from %s", async (_kind, ask) => {
    const client = await clientAnswered(MANY_ZEROS.slice(0, 1_000_000 - 1).concat("0]"));
    await expect(ask(client)).rejects.toMatchObject({ code: "source_not_salesforce" });
  });

  test.each([400, 401, 403, 500, 503])("with status %s", async (status) => {
    await expect(
      query(await clientAnswered(MANY_ZEROS.slice(0, 900_001).concat("0]"), status), "SELECT Id FROM Case"),
    ).rejects.toMatchObject({
      status,
    });
    await expect(query(await clientAnswered(MANY_ZEROS, status), "SELECT Id FROM Case")).rejects.toMatchObject({
      code: "source_not_salesforce",
    });
  });

  test.each<[string, string]>([
    ["as objects of an org", `{"sobjects":[${"0,".repeat(400_000)}0]}`],
    ["as objects that say little", `{"sobjects":[${"{},".repeat(19_000)}{}]}`],
    ["in one object", `{${Array.from({ length: 1_100_000 }, (_, n) => `"${n}":0`).join(",")}}`],
  ])("%s", async (_what, body) => {
    await expect(describeGlobal(await clientAnswered(body))).rejects.toMatchObject({ code: "source_not_salesforce" });
  });

  test.each<[string, string]>([
    ["as records", `{"totalSize":1,"done":true,"records":[${"0,".repeat(1999)}0]}`],
    ["as more records than Salesforce gives", `{"totalSize":1,"done":true,"records":[${"{},".repeat(2000)}{}]}`],
    ["as a number of records below none", `{"totalSize":-1,"done":true,"records":[]}`],
  ])("%s", async (_what, body) => {
    await expect(query(await clientAnswered(body), "SELECT Id FROM Case")).rejects.toMatchObject({
      code: "source_not_salesforce",
    });
  });
});

/** Sends a byte from time to time without end. */
const drip: RequestListener = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 20);
  response.once("close", () => clearInterval(timer));
};

describe("refused is", () => {
  test("an answer that is nested deeper than any of Salesforce's", async () => {
    const client = await clientAnswered(
      `{"totalSize":1,"done":true,"records":[{"Id":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
    );
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({
      message: expect.stringContaining("nested deeper than 32 levels"),
    });
  });

  test.each(["gzip, gzip", "br", "deflate", "gzip,gzip,gzip,gzip,gzip"])(
    "an answer packed as %s, before it is unpacked",
    async (packing) => {
      const url = await startHost((_request, response) =>
        response.writeHead(200, { "content-encoding": packing }).end("not even packed"),
      );
      await expect(findVersion(url)).rejects.toMatchObject({
        message: expect.stringContaining("compressed in a way that was not requested"),
      });
    },
  );

  test("an answer that announces too large a body, before it is read", async () => {
    const url = await startHost((_request, response) =>
      response.writeHead(200, { "content-length": 2 ** 40 }).flushHeaders(),
    );
    await expect(findVersion(url)).rejects.toMatchObject({ message: expect.stringContaining("more than 1024 KiB") });
  });

  test("an answer with too large headers", async () => {
    const url = await startHost((_request, response) =>
      response.writeHead(200, { "x-much": "x".repeat(100_000) }).end("[]"),
    );
    await expect(findVersion(url)).rejects.toMatchObject({
      code: "source_unreachable",
      message: expect.stringContaining("longer headers"),
    });
  });

  test("an answer that arrives byte by byte, after the timeout of the exchange", async () => {
    const client = openClient({
      instanceUrl: await startHost(drip),
      accessToken: "token",
      apiVersion: "67.0",
      timeoutMs: 300,
      retry: { retries: 0 },
    });
    await expect(readLimits(client)).rejects.toMatchObject({
      code: "source_unreachable",
      message: expect.stringContaining("in time"),
    });
  });
});

test("brackets, commas and escaped quotes within a text count as text", async () => {
  const text = `${'[{,\\"'.repeat(100_000)}\\`;
  const client = await clientAnswered(JSON.stringify({ totalSize: 1, done: true, records: [{ Id: "1", text }] }));
  expect((await query(client, "SELECT Id FROM Case")).records).toEqual([{ Id: "1", text }]);
});

test("of an error answer, however long, one sentence is shown", async () => {
  const body = JSON.stringify([{ errorCode: "INVALID_FIELD", message: "x".repeat(500_000) }]);
  const refusal = query(await clientAnswered(body, 400), "SELECT Id FROM Case");
  await expect(refusal).rejects.toMatchObject({
    errorCode: "INVALID_FIELD",
    message: expect.stringMatching(/^.{100,600}$/),
  });
});

/**
 * As in answers of a real org, with names of ordinary length (recorded in
 * docs/decisions/0028-sources-that-mean-harm.md).
 */
const FIELD = {
  aggregatable: true,
  label: "A label of ordinary length",
  name: "An_ordinary_name__c",
  type: "picklist",
  note: "x".repeat(1100),
  custom: true,
};
const OBJECT = {
  label: "An ordinary label",
  name: "An_ordinary_name__c",
  queryable: true,
  custom: true,
  urls: "x".repeat(700),
  ...flags(30),
};

function flags(many: number): Record<string, boolean> {
  return Object.fromEntries(Array.from({ length: many }, (_, n) => [`flag${n}`, true]));
}

describe("the answers of a large org are read:", () => {
  test("12,000 objects", async () => {
    const client = await clientAnswered(JSON.stringify({ sobjects: Array.from({ length: 12_000 }, () => OBJECT) }));
    expect(await describeGlobal(client)).toHaveLength(12_000);
  });

  test("900 fields with 40,000 values of picklists, and 2,000 child relationships", async () => {
    const value = {
      active: true,
      defaultValue: false,
      label: "A value of ordinary length",
      validFor: null,
      value: "A value of ordinary length",
    };
    const fields = Array.from({ length: 900 }, (_, n) => ({
      ...FIELD,
      name: `An_ordinary_name_${n}__c`,
      picklistValues: n < 40 ? Array.from({ length: 1000 }, () => value) : [],
    }));
    const client = await clientAnswered(
      JSON.stringify({ fields, childRelationships: Array.from({ length: 2000 }, () => flags(8)) }),
    );
    expect((await describeObject(client, "Case")).fields).toHaveLength(900);
  });

  test("250 records of 800 fields", async () => {
    const record = {
      attributes: { type: "Case", url: "/x" },
      ...Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`A_custom_field_${n}__c`, null])),
    };
    const client = await clientAnswered(
      JSON.stringify({ totalSize: 250, done: true, records: Array.from({ length: 250 }, () => record) }),
    );
    expect((await query(client, "SELECT Id FROM Case")).records).toHaveLength(250);
  });
});

test("an object with the same field twice is refused", async () => {
  const fields = ["Status", "Subject", "STATUS"].map((name) => ({ name, label: name, type: "picklist" }));
  await expect(describeObject(await clientAnswered(JSON.stringify({ fields })), "Case")).rejects.toMatchObject({
    code: "source_not_salesforce",
  });
});

test.each([
  ["bytes", "x".repeat(100_000), { bytes: 1_000_000, values: 1000 }, 9],
  ["values", Array.from({ length: 100 }, () => ({})), { bytes: 1_000_000, values: 1000 }, 4],
])("all answers to one question have so many %s together, however many come", async (_, given, bounds, many) => {
  const url = await answering(JSON.stringify({ totalSize: 1, done: false, records: [{ Id: "1", given }] }));
  const client = clientOf(url, new Allowance(bounds));
  const ask = () => query(client, "SELECT Id FROM Case");
  for (let asked = 0; asked < many; asked += 1) await ask();
  await expect(ask()).rejects.toMatchObject({
    code: "source_error",
    message: expect.stringContaining("more than is read while somebody waits"),
  });
  const { requests } = client;
  await expect(ask()).rejects.toMatchObject({ errorCode: "ALLOWANCE_USED_UP" });
  expect(client.requests).toBe(requests);
});

test("one answer to a question takes a quarter of its bytes at most, and is then asked for in parts", async () => {
  const url = await answering(JSON.stringify({ totalSize: 1, done: true, records: [{ text: "x".repeat(100_000) }] }));
  const client = clientOf(url, new Allowance({ bytes: 300_000, values: 1000 }));
  await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({ errorCode: "ANSWER_TOO_LARGE" });
});

test("all requests of a connect share one deadline", async () => {
  const versions = JSON.stringify([{ version: "67.0", label: "x", url: "/services/data/v67.0" }]);
  let asked = 0;
  const url = await startHost((_request, response) => {
    asked += 1;
    setTimeout(() => response.end(asked === 1 ? versions : "{}"), asked === 1 ? 0 : 20_000);
  });
  const connecting = probeOrg(url, "token", interactiveTimeouts(500));
  await expect(connecting).rejects.toMatchObject({
    code: "source_unreachable",
    message: expect.stringContaining("did not answer in time"),
  });
  expect(asked).toBe(2);
});
