import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { env } from "@/lib/env";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { countStored, problemIn } from "@/tests/migration/support/api-service";
import { useSandboxApi } from "@/tests/migration/support/sandbox-api";
import { startDeadHost, startHost, stopHosts } from "@/tests/support/hosts";

const here = useSandboxApi();

afterEach(() => stopHosts());

/** The answer of the API to a connection that does not work, and what it stored or enqueued. */
async function answerTo(body: object): Promise<object> {
  const { status, code, detail, errors } = problemIn(await here.api.post("/migration/analyze", body));
  return {
    status,
    code,
    detail,
    pointer: errors?.[0]?.pointer,
    ...(await countStored(here.organizationId)),
    jobs: here.jobs.asked.length,
  };
}

/** A refusal with cause and remedy that leaves nothing behind. */
function refusal(code: string, says: RegExp, pointer?: string): object {
  return { status: 422, code, detail: expect.stringMatching(says), pointer, connections: 0, migrations: 0, jobs: 0 };
}

function sandbox(overrides: object = {}): { ext_instance_url: string; ext_access_token: string } {
  return { ext_instance_url: here.org.instanceUrl, ext_access_token: here.org.accessToken, ...overrides };
}

describe("an address that leads to no org is refused with cause and remedy, and nothing is stored:", () => {
  test.each([
    ["not an address", /“not an address” is no address of a Salesforce org.*my\.salesforce\.com/],
    ["acme", /“acme” is no address of a Salesforce org/],
    ["https://login.salesforce.com", /where everybody signs in.*My Domain/],
    ["https://user:pass@acme.my.salesforce.com", /user name or password/],
    ["ftp://acme.my.salesforce.com", /https:\/\//],
  ])("%s", async (ext_instance_url, says) => {
    expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
      refusal("source_url_invalid", says, "/ext_instance_url"),
    );
  });

  test("a host that does not exist", async () => {
    const says = /no-such-host\.invalid.*Check the spelling/;
    const answer = await answerTo(sandbox({ ext_instance_url: "https://no-such-host.invalid" }));
    expect(answer).toEqual(refusal("source_unreachable", says, "/ext_instance_url"));
  });

  test("a port that nobody listens on", async () => {
    const says = /Nothing answers at .* Check the address/;
    expect(await answerTo(sandbox({ ext_instance_url: await startDeadHost() }))).toEqual(
      refusal("source_unreachable", says, "/ext_instance_url"),
    );
  });

  test("a host that hangs up", async () => {
    const ext_instance_url = await startHost((request) => request.socket.destroy());
    expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
      refusal("source_unreachable", /broke\. Try again/, "/ext_instance_url"),
    );
  });

  test.each<[string, RequestListener]>([
    ["a website", (_request, response) => response.end("<!doctype html><title>Welcome</title>")],
    ["a website that has no such page", (_request, response) => response.writeHead(404).end("<h1>Not found</h1>")],
    ["another JSON API", (_request, response) => response.end('{"hello":"world"}')],
    [
      "a host that redirects",
      (_request, response) => response.writeHead(302, { location: here.org.instanceUrl }).end(),
    ],
  ])("%s", async (_what, listener) => {
    const ext_instance_url = await startHost(listener);
    expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
      refusal("source_not_salesforce", /as Salesforce does/, "/ext_instance_url"),
    );
  });
});

test("a host that answers with gzip of [0,0,0,…] is refused with a sentence in the wizard", async () => {
  const body = gzipSync(`[${"0,".repeat(10_000_000)}0]`);
  const ext_instance_url = await startHost((_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(body),
  );
  const says = /sent another answer than Salesforce does\. It has more than 1024 KiB\. Check the address\.$/;
  expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
    refusal("source_not_salesforce", says, "/ext_instance_url"),
  );
});

test("the access token is not sent to a host that is not Salesforce", async () => {
  const seen: (string | undefined)[] = [];
  const url = await startHost((request, response) => {
    seen.push(request.headers.authorization);
    response.end("<!doctype html>");
  });
  await here.api.post("/migration/analyze", sandbox({ ext_instance_url: url }));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every((header) => header === undefined)).toBe(true);
});

describe("unless the settings allow this network", () => {
  beforeEach(() => {
    env.ALLOW_PRIVATE_NETWORK = false;
    return () => (env.ALLOW_PRIVATE_NETWORK = true);
  });

  test.each([
    "https://127.0.0.1",
    "https://169.254.169.254",
    "https://[::1]",
    "https://10.0.0.7:8443",
    "https://localhost",
  ])("%s is refused", async (ext_instance_url) => {
    expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
      refusal("source_url_invalid", /public internet/, "/ext_instance_url"),
    );
  });

  test.each([
    "http://localhost:4000",
    "http://127.0.0.1:4000",
    "http://[::1]",
    "https://localhost",
    "http://crm.localhost:4000",
  ])(
    "%s, an address of this machine, is refused with the setting that allows it in development",
    async (ext_instance_url) => {
      const says = /(?:must begin with https|public internet).*ALLOW_PRIVATE_NETWORK=true allows/;
      expect(await answerTo(sandbox({ ext_instance_url }))).toEqual(
        refusal("source_url_invalid", says, "/ext_instance_url"),
      );
    },
  );

  test("http to other networks is refused without mentioning settings", async () => {
    const answer = await answerTo(sandbox({ ext_instance_url: "http://acme.my.salesforce.com" }));
    expect(answer).toEqual(
      refusal("source_url_invalid", /^The address must begin with https:\/\/\.$/, "/ext_instance_url"),
    );
  });
});

describe("what the org refuses is reported with cause and remedy, and nothing is stored:", () => {
  test.each([
    ["that it does not know", "00D!unknown", /access token has expired.*new access token/],
    ["with a line break in it", "00D!half\nhalf", /contains spaces or line breaks.*Copy it/],
    [
      "with a letter outside ASCII",
      "00D!h\u00e9lf",
      /contains the character U\+00E9, and no access token does.*Copy it/,
    ],
    ["with a character that nobody sees", "00D!half\u200bhalf", /contains the character U\+200B/],
  ])("a token %s", async (_what, ext_access_token, says) => {
    expect(await answerTo(sandbox({ ext_access_token }))).toEqual(
      refusal("source_token_refused", says, "/ext_access_token"),
    );
  });

  test.each([
    ["API_DISABLED_FOR_ORG", "source_api_disabled", /edition.*API Enabled/],
    ["API_CURRENTLY_DISABLED", "source_api_disabled", /edition.*API Enabled/],
    ["PASSWORD_EXPIRED", "source_access_denied", /password.*new password/],
    ["REQUEST_LIMIT_EXCEEDED", "source_limit_exceeded", /API requests.*Wait/],
    ["INSUFFICIENT_ACCESS", "source_access_denied", /permission/],
  ] as const)("%s", async (preset, code, says) => {
    await here.org.setRules([{ pathPattern: "^/services/data/v", preset }]);
    expect(await answerTo(sandbox())).toEqual(refusal(code, says));
  });

  test("a user who may see none of the objects", async () => {
    await here.org.setRules({ access: { hiddenObjects: [...AUTOMATIC_OBJECTS] } });
    expect(await answerTo(sandbox())).toEqual(refusal("source_access_denied", /none of Accounts, .*View All/));
  });
});

test("a user who may not see cases can connect; the report says so", async () => {
  await here.org.setRules({ access: { hiddenObjects: ["Case", "CaseComment", "EmailMessage"] } });
  expect((await here.api.post("/migration/analyze", sandbox())).status).toBe(202);
});
