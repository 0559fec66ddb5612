import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { query } from "@/lib/salesforce/query";
import { startHost, stopHosts } from "@/tests/support/hosts";

afterEach(stopHosts);

const EMPTY = { totalSize: 0, done: true, records: [] };

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Seen {
  method: string | undefined;
  url: string | undefined;
  token: string | undefined;
  body: string;
}

/** A host that returns the given answers in turn and then repeats the last one, and a client of it. */
async function scripted(
  answers: readonly Answer[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: SalesforceClient; seen: Seen[] }> {
  const seen: Seen[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const {
      status = 200,
      body = EMPTY,
      headers: extra = {},
    } = answers[Math.min(seen.length, answers.length - 1)] ?? {};
    seen.push({ method, url, token: headers.authorization, body: await text(request) });
    response
      .writeHead(status, { "content-type": "application/json", ...extra })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  }
  const instanceUrl = await startHost((request, response) => void answer(request, response));
  const client = openClient({
    instanceUrl,
    accessToken: "first",
    apiVersion: "67.0",
    retry: { retries: 2, backoffMs: 1 },
    ...options,
  });
  return { client, seen };
}

function refusal(errorCode: string, message = ""): object[] {
  return [{ errorCode, message }];
}

const SERVER_UNAVAILABLE = { status: 503, body: refusal("SERVER_UNAVAILABLE") };
const EXPIRED = { status: 401, body: refusal("INVALID_SESSION_ID", "Session expired or invalid") };

describe("transient errors are retried:", () => {
  test.each<[string, Answer]>([
    ["an org that is not available", SERVER_UNAVAILABLE],
    ["a proxy's error page", { status: 502, body: "<html>Bad Gateway</html>" }],
    [
      "too many requests at once",
      { status: 403, body: refusal("REQUEST_LIMIT_EXCEEDED", "ConcurrentPerOrgLongTxn Limit exceeded.") },
    ],
    ["a locked row", { status: 400, body: refusal("UNABLE_TO_LOCK_ROW") }],
    ["a request to come again", { status: 429, body: "", headers: { "retry-after": "0" } }],
  ])("%s", async (_what, answer) => {
    const { client, seen } = await scripted([answer, answer, {}]);
    expect(await query(client, "SELECT Id FROM Case")).toMatchObject({ totalSize: 0 });
    expect(seen).toHaveLength(3);
  });

  test("until the retries are used up", async () => {
    const { client, seen } = await scripted([SERVER_UNAVAILABLE]);
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({
      transient: true,
      errorCode: "SERVER_UNAVAILABLE",
    });
    expect(seen).toHaveLength(3);
  });

  test("unless the org requests a pause that a job should sleep through", async () => {
    const { client, seen } = await scripted([{ ...SERVER_UNAVAILABLE, headers: { "retry-after": "3600" } }]);
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({ transient: true, retryAfter: 3600 });
    expect(seen).toHaveLength(1);
  });
});

test("a deadline ends the pauses, with the failure before it", async () => {
  const deadline = new AbortController();
  const { client, seen } = await scripted([SERVER_UNAVAILABLE], {
    retry: { retries: 5, backoffMs: 20_000 },
    deadline: deadline.signal,
  });
  const asked = query(client, "SELECT Id FROM Case");
  await expect.poll(() => seen.length).toBe(1);
  deadline.abort();
  await expect(asked).rejects.toBeInstanceOf(SalesforceError);
  expect(client.requests).toBe(1);
});

describe("not retried is", () => {
  test.each<[string, Answer, object]>([
    [
      "a used-up daily limit",
      { status: 403, body: refusal("REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.") },
      { code: "source_limit_exceeded" },
    ],
    [
      "a statement at fault",
      { status: 400, body: refusal("INVALID_FIELD", "\nSELECT Nme FROM Case\n^\nNo such column 'Nme'") },
      { message: "Salesforce answered INVALID_FIELD: No such column 'Nme'" },
    ],
    ["a refused token", EXPIRED, { code: "source_token_refused" }],
    ["a page that is no JSON", { body: "<html>Maintenance</html>" }, { code: "source_not_salesforce" }],
    ["a redirect", { status: 302, headers: { location: "https://evil.example" } }, { code: "source_not_salesforce" }],
  ])("%s", async (_what, answer, error) => {
    const { client, seen } = await scripted([answer]);
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject(error);
    expect(seen).toHaveLength(1);
  });

  test("a request that may have changed something", async () => {
    const { client, seen } = await scripted([SERVER_UNAVAILABLE]);
    await expect(client.request("/services/data/v67.0/x", { method: "POST", body: "{}" })).rejects.toMatchObject({
      status: 503,
    });
    expect(seen).toHaveLength(1);
  });
});

describe("an expired access token", () => {
  test("is renewed once for all refused requests, each of which is repeated", async () => {
    const renewed: string[] = [];
    const seen: (string | undefined)[] = [];
    const instanceUrl = await startHost((request, response) => {
      seen.push(request.headers.authorization);
      const fresh = request.headers.authorization === "Bearer second";
      response.writeHead(fresh ? 200 : 401).end(JSON.stringify(fresh ? EMPTY : EXPIRED.body));
    });
    const onUnauthorized = async (refused: string) => {
      renewed.push(refused);
      return { instanceUrl, accessToken: "second" };
    };
    const client = openClient({ instanceUrl, accessToken: "first", apiVersion: "67.0", onUnauthorized });
    await Promise.all([1, 2, 3, 4].map(() => query(client, "SELECT Id FROM Case")));
    expect(renewed).toEqual(["first"]);
    expect(seen.filter((token) => token === "Bearer second")).toHaveLength(4);
  });

  test.each(["INVALID_SESSION_ID", "UNHEARD_OF"])(
    "that nothing replaces is refused, also with the code %s",
    async (code) => {
      const answer = { status: 401, body: refusal(code) };
      const { client } = await scripted([answer], { onUnauthorized: async () => null });
      await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({ code: "source_token_refused" });
    },
  );

  test("whose replacement is refused too is an error, not a loop", async () => {
    const { client, seen } = await scripted([EXPIRED], {
      onUnauthorized: async () => ({ instanceUrl: client.origin, accessToken: "second" }),
    });
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({ code: "source_token_refused" });
    expect(seen.map(({ token }) => token)).toEqual(["Bearer first", "Bearer second"]);
  });
});

describe("an org that is elsewhere", () => {
  const REDIRECT: Answer = { status: 301, headers: { location: "https://new.example" } };
  const WRONG_HOST: Answer = { status: 400, body: refusal("URL_NOT_RESET", "Destination URL not reset.") };

  test.each([
    ["redirects", REDIRECT],
    ["says so", WRONG_HOST],
  ])("and %s is asked at the address that comes with new access, from then on", async (_how, answer) => {
    const there = await scripted([{}]);
    const renewed = { instanceUrl: there.client.origin, accessToken: "second" };
    const { client, seen } = await scripted([answer], { onUnauthorized: async () => renewed });
    await query(client, "SELECT Id FROM Case");
    await query(client, "SELECT Id FROM Account");
    expect(client.origin).toBe(renewed.instanceUrl);
    expect(seen).toHaveLength(1);
    expect(there.seen.map(({ token }) => token)).toEqual(["Bearer second", "Bearer second"]);
  });

  test.each([REDIRECT, WRONG_HOST])("needs a person where there is no other access", async (answer) => {
    const { client } = await scripted([answer], { onUnauthorized: async () => null });
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({
      code: "source_token_refused",
      message: expect.stringContaining("another address now"),
    });
  });

  test("and was never connected is a wrong address", async () => {
    const { client } = await scripted([WRONG_HOST]);
    await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({ code: "source_url_invalid" });
  });
});

describe("the access token never travels to another host", () => {
  test.each([
    "//evil.example/x",
    "https://evil.example/services/data/v67.0/query/1",
    "/\\evil.example/x",
    "\\\\evil.example",
  ])("by a path such as %s", async (path) => {
    const { client, seen } = await scripted([{}]);
    await expect(client.request(path)).rejects.toMatchObject({ errorCode: "FOREIGN_HOST" });
    expect(seen).toEqual([]);
  });
});

/** The answer to a composite request of one subrequest. */
function composite(httpStatusCode: number, body: unknown): Answer {
  return { body: { compositeResponse: [{ httpStatusCode, body, referenceId: "query" }] } };
}

test("a statement that is too long for a URL is sent in a body, and fails in the same way", async () => {
  const soql = `SELECT Id FROM Case WHERE Subject IN ('${"é".repeat(4000)}')`;
  const { client, seen } = await scripted([
    composite(200, { ...EMPTY, totalSize: 7 }),
    composite(400, refusal("MALFORMED_QUERY", "unexpected token")),
  ]);
  expect(await query(client, soql)).toMatchObject({ totalSize: 7 });
  expect(seen).toMatchObject([{ method: "POST", url: "/services/data/v67.0/composite" }]);
  const [subrequest] = (JSON.parse(seen[0]?.body ?? "") as { compositeRequest: { url: string }[] }).compositeRequest;
  expect(new URL(subrequest?.url ?? "", client.origin).searchParams.get("q")).toBe(soql);
  await expect(query(client, soql)).rejects.toMatchObject({ errorCode: "MALFORMED_QUERY" });
});

test.each([414, 431])(
  "a statement that is refused with %i, as beside a long token, is sent in a body",
  async (status) => {
    const refused = { status, body: "<h1>Bad Message</h1>" };
    const { client, seen } = await scripted([refused, composite(200, EMPTY), composite(200, EMPTY), { body: EMPTY }]);
    for (const length of [13_000, 13_001, 12_000])
      expect(await query(client, `SELECT Id FROM Case WHERE Subject = '${"x".repeat(length)}'`)).toEqual(EMPTY);
    // What is as long as the refused one is not tried again.
    expect(seen.map(({ method }) => method)).toEqual(["GET", "POST", "POST", "GET"]);
  },
);

test("the org's API usage is read from every answer", async () => {
  const { client } = await scripted([{ headers: { "sforce-limit-info": "api-usage=18/5000" } }]);
  expect(client.usage).toBeNull();
  await query(client, "SELECT Id FROM Case");
  expect(client.usage).toEqual({ used: 18, limit: 5000 });
});

test("a host that does not answer times out", async () => {
  const instanceUrl = await startHost(() => undefined);
  const client = openClient({
    instanceUrl,
    accessToken: "first",
    apiVersion: "67.0",
    timeoutMs: 50,
    retry: { retries: 0 },
  });
  await expect(query(client, "SELECT Id FROM Case")).rejects.toMatchObject({
    code: "source_unreachable",
    message: expect.stringContaining("in time"),
  });
});

test("a request that its caller aborts ends as aborted, not as the source's fault", async () => {
  const abort = new AbortController();
  const instanceUrl = await startHost(() => abort.abort());
  const client = openClient({ instanceUrl, accessToken: "first", apiVersion: "67.0" });
  await expect(query(client, "SELECT Id FROM Case", { signal: abort.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("an answer that does not match the schema is refused", async () => {
  const { client } = await scripted([{ body: { hello: "world" } }]);
  await expect(client.json("/services/data/", z.array(z.object({ version: z.string() })))).rejects.toMatchObject({
    code: "source_not_salesforce",
  });
});
