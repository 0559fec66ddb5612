import { createServer, type RequestListener, type Server } from "node:http";

import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";

import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { readDemo, tokenOf } from "@/tests/service/support/demo";
import { analyze, type Migration } from "@/tests/service/support/migrate";
import { type Answer, RestClient } from "@/tests/service/support/rest-client";
import { listen } from "@/tests/support/hosts";

interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

const demo = readDemo();
let client: RestClient;
let org: RunningOrg;
const servers: Server[] = [];

/** Starts a host on this machine that answers with `listener`. */
async function host(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return listen(server);
}

beforeAll(async () => {
  client = new RestClient(demo.base_url, await tokenOf(demo), inject("validator"));
  org = await startSandboxOrg({ records: 200 });
});

beforeEach(async () => {
  await org.setRules({ rules: [], access: {} });
});

afterAll(async () => {
  for (const server of servers) server.close();
  await org.stop();
});

/** Tries to connect, and asserts that the refusal left nothing behind. */
async function refusal(instanceUrl: string, token = org.accessToken): Promise<Problem> {
  const before = await client.text("/api/v1/migration");
  const answer: Answer<Problem> = await client.post("/api/v1/migration/analyze", {
    ext_instance_url: instanceUrl,
    ext_access_token: token,
  });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).not.toContain(token);
  expect(await client.text("/api/v1/migration")).toBe(before);
  return answer.body;
}

/** What a refusal contains: the cause, then the remedy. */
function saying(code: string, sentence: RegExp): object {
  return { code, detail: expect.stringMatching(sentence) as string };
}

test.each([
  ["not an address", "not an address", /no address of a Salesforce org.*https:/],
  [
    "the common sign-in address",
    "https://login.salesforce.com",
    /login\.salesforce\.com is where everybody signs in.*https:/,
  ],
  ["an address of another scheme", "ftp://acme.my.salesforce.com", /https/],
])("a wrong URL (%s) is refused with an example of a right one", async (_, url, sentence) => {
  const problem = await refusal(url);
  expect(problem).toMatchObject(saying("source_url_invalid", sentence));
  expect(problem.errors).toEqual([
    { pointer: "/ext_instance_url", code: "source_url_invalid", detail: problem.detail },
  ]);
});

test.each<[string, RequestListener]>([
  [
    "serves web pages",
    (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Welcome</body></html>"),
  ],
  ["answers 404", (_, response) => response.writeHead(404, { "content-type": "text/html" }).end("Not Found")],
  [
    "answers with other JSON",
    (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"hello":"world"}'),
  ],
])("a host that %s is refused as not Salesforce, and never gets the access token", async (_, answer) => {
  const received: string[] = [];
  const url = await host((request, response) => {
    received.push(JSON.stringify(request.headers));
    answer(request, response);
  });
  const problem = await refusal(url);
  expect(problem).toMatchObject(
    saying("source_not_salesforce", new RegExp(`${new URL(url).host} is not a Salesforce org.*My Domain`)),
  );
  expect(problem.errors?.[0]?.pointer).toBe("/ext_instance_url");
  expect(received.join()).not.toContain(org.accessToken);
});

test("an unreachable host is named, with what to check", async () => {
  const dead = await startSandboxOrg({ records: 100 });
  await dead.stop();
  const problem = await refusal(dead.instanceUrl);
  expect(problem).toMatchObject(
    saying("source_unreachable", new RegExp(`Nothing answers at ${new URL(dead.instanceUrl).host}.*Check the address`)),
  );
  expect(problem.errors?.[0]?.pointer).toBe("/ext_instance_url");
});

test("a refused access token (401 INVALID_SESSION_ID) is distinguished from a wrong address", async () => {
  const problem = await refusal(org.instanceUrl, "00DHs000000AbCd!refused");
  expect(problem).toMatchObject(
    saying("source_token_refused", /access token has expired, was revoked.*Get a new access token/),
  );
  expect(problem.errors?.[0]?.pointer).toBe("/ext_access_token");
});

test("an access token with a line break is refused as wrongly copied, and not sent anywhere", async () => {
  await org.resetStats();
  const problem = await refusal(org.instanceUrl, "00DHs000000AbCd!one\ntwo");
  expect(problem).toMatchObject(saying("source_token_refused", /line breaks.*Copy it again/));
  expect((await org.stats()).requests).toEqual({});
});

test.each(["API_DISABLED_FOR_ORG", "API_CURRENTLY_DISABLED"] as const)(
  "a disabled API (%s) is explained with the permission that is missing",
  async (preset) => {
    await org.setRules([{ pathPattern: "/services/data/v", preset }]);
    expect(await refusal(org.instanceUrl)).toMatchObject(
      saying("source_api_disabled", /API is disabled for this Salesforce org or user.*API Enabled/),
    );
  },
);

test("an org without remaining API requests is refused with the reason", async () => {
  await org.setRules([{ pathPattern: "/services/data/v", preset: "REQUEST_LIMIT_EXCEEDED" }]);
  expect(await refusal(org.instanceUrl)).toMatchObject(
    saying("source_limit_exceeded", /used up its API requests.*Wait until some are free again/),
  );
});

test("a user who may read none of the objects is refused with the permissions to add", async () => {
  await org.setRules({
    access: { hiddenObjects: ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task", "Event"] },
  });
  expect(await refusal(org.instanceUrl)).toMatchObject(
    saying("source_access_denied", /can read none of Accounts, Contacts, Cases.*Permission Sets/),
  );
});

test("without access to Case, the report says so with a remedy, and a run with Case is refused", async () => {
  await org.setRules({ access: { hiddenObjects: ["Case"] } });
  const analyzed = await analyze(client, { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken });
  expect(analyzed.status).toBe("ready");
  const path = `/api/v1/migration/${analyzed.migration_id}`;
  const { risks, readiness } = await client.get<{
    risks: { object: string | null; severity: string; detail: string; recommended_action: string }[];
    readiness: object;
  }>(`${path}/report`);
  const about = risks.filter(({ object, severity }) => object === "Case" && severity === "blocking");
  expect(about.map(({ detail }) => detail)).toEqual([expect.stringMatching(/has no access to Case/)]);
  expect(about[0]?.recommended_action).toMatch(/Give the user .*Case.*permission set.*analyze again/);
  expect(readiness).toMatchObject({ verdict: "not_ready" });

  const before = await client.text(path);
  const selected = { migration_id: analyzed.migration_id, configuration: { objects: { Case: { selected: true } } } };
  const refused = await client.post<Problem>("/api/v1/migration/run", selected);
  expect(refused.status).toBe(400);
  const sentences = [refused.body.detail, ...(refused.body.errors ?? []).map(({ detail }) => detail)].join(" ");
  expect(sentences).toMatch(/Case.*(?:cannot|may not)/);
  expect(sentences).toMatch(/Give the user .*“View All” for Cases.*analyze again.*deselect/);
  expect(await client.text(path)).toBe(before);
  expect((await client.get<Migration>(path)).objects).toEqual([]);
});
