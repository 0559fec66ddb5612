import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";
import { type RawAnswer, sendRaw } from "@/tests/service/support/raw-request";
import { type OwnWeb, startOwnWeb } from "@/tests/service/setup/own-web";
import { stopHosts } from "@/tests/support/hosts";
import { type InngestServer, startInngestServer } from "@/tests/support/inngest-server";

const FUNCTION = "crm-sweep-records";
const CALL = JSON.stringify({
  ctx: {
    attempt: 0,
    disable_immediate_execution: true,
    max_attempts: 4,
    run_id: "01J",
    stack: { current: 0, stack: [] },
    use_api: false,
  },
  event: { data: {}, id: "1", name: "inngest/scheduled.timer", ts: 0 },
  events: [{ data: {}, id: "1", name: "inngest/scheduled.timer", ts: 0 }],
  steps: {},
  use_api: false,
  version: 1,
});
const FIVE_MINUTES = 5 * 60_000;
const MEBIBYTE = 1024 * 1024;

let server: InngestServer;
let web: OwnWeb;
let address: string;

beforeAll(async () => {
  server = await startInngestServer({ refusals: 1 });
  web = await startOwnWeb(server.settings);
  address = `${readDemo().base_url}/api/inngest`;
});

afterAll(async () => {
  await web.stop();
  stopHosts();
});

interface EndpointCall {
  method: string;
  query?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Calls the job endpoint with any headers. */
function callEndpoint(
  { method, query = "", body = "", headers = {} }: EndpointCall,
  { baseUrl } = web,
): Promise<RawAnswer> {
  const all = {
    host: new URL(baseUrl).host,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(
    baseUrl,
    `${method} /api/inngest${query} HTTP/1.1\r\n${lines.join("")}connection: close\r\n\r\n${body}`,
  );
}

function registeredAddresses(): string[] {
  const all = server.registrations.flatMap(({ url, functions }) => [
    url,
    ...functions.flatMap(({ steps }) => Object.values(steps)).map(urlOf),
  ]);
  return [...new Set(all.map((url) => url.split("?")[0] ?? ""))];
}

function urlOf({ runtime }: { runtime: { url: string } }): string {
  return runtime.url;
}

test("the service registers its functions at APP_URL, and tries again if the server is not ready", async () => {
  await expect.poll(() => server.registrations.length).toBeGreaterThan(0);
  expect(server.refusals).toBeLessThan(0);
  const [{ functions } = { functions: [] }] = server.registrations;
  expect(functions.map(({ id }) => id)).toEqual(
    expect.arrayContaining([FUNCTION, "crm-run-migration", "crm-analyze-migration"]),
  );
  expect(registeredAddresses()).toEqual([address]);
});

describe("everyone except the Inngest server is refused", () => {
  const FORGED: Record<string, string>[] = [
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    { forwarded: "host=evil.example" },
  ];

  test.each(FORGED)("an unsigned PUT with %o registers nothing", async (headers) => {
    const body = JSON.stringify({ url: "https://evil.example/api/inngest" });
    const answers = [
      await callEndpoint({ method: "PUT", headers }),
      await callEndpoint({ method: "PUT", headers, body }),
      await callEndpoint({ method: "PUT", headers: { ...headers, "x-inngest-sync-kind": "in_band" }, body }),
    ];
    expect(registeredAddresses().filter((url) => url !== address)).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test.each(["GET", "HEAD"])("an unsigned %s reveals nothing about the service", async (method) => {
    const answer = await callEndpoint({ method });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toMatch(/function|signing|event_key|sdk/i);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("x-inngest"))).toEqual([]);
  });

  test("a call needs a signature of its body, with the key, from the last five minutes", async () => {
    const query = `?fnId=${FUNCTION}&stepId=step`;
    const fresh = server.sign(CALL)["x-inngest-signature"] ?? "";
    const signatures = [
      undefined,
      "",
      "t=1&s=2",
      fresh.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      server.sign(`${CALL} `)["x-inngest-signature"],
      server.sign(CALL, new Date(Date.now() - FIVE_MINUTES - 60_000))["x-inngest-signature"],
      server.sign(CALL, new Date(Date.now() + FIVE_MINUTES + 60_000))["x-inngest-signature"],
    ];
    for (const signature of signatures) {
      const headers: Record<string, string> = signature === undefined ? {} : { "x-inngest-signature": signature };
      const { status, body } = await callEndpoint({ method: "POST", query, body: CALL, headers });
      expect([signature, status, JSON.parse(body)]).toEqual([
        signature,
        403,
        expect.objectContaining({ code: "forbidden" }),
      ]);
    }
  });
});

describe("the Inngest server", () => {
  test("can run functions with its signature", async () => {
    const answer = await callEndpoint({
      method: "POST",
      query: `?fnId=${FUNCTION}&stepId=step`,
      body: CALL,
      headers: server.sign(CALL),
    });
    expect([200, 206]).toContain(answer.status);
  });

  test("gets the functions registered at APP_URL, whatever Host it sends", async () => {
    const before = server.registrations.length;
    const body = JSON.stringify({ url: "https://evil.example/api/inngest" });
    const headers = { ...server.sign(body), host: "evil.example" };
    expect((await callEndpoint({ method: "PUT", body, headers })).status).toBe(200);
    expect(server.registrations).toHaveLength(before + 1);
    const inBand = await callEndpoint({
      method: "PUT",
      body,
      headers: { ...headers, "x-inngest-sync-kind": "in_band" },
    });
    expect([inBand.status, JSON.parse(inBand.body)]).toEqual([200, expect.objectContaining({ url: address })]);
    expect(registeredAddresses()).toEqual([address]);
  });

  test("can inspect the functions with its signature", async () => {
    const answer = await callEndpoint({ method: "GET", headers: server.sign("") });
    expect(JSON.parse(answer.body)).toMatchObject({
      mode: "cloud",
      authentication_succeeded: true,
      serve_origin: readDemo().base_url,
    });
  });

  test("is refused a body larger than such a server sends", async () => {
    const body = JSON.stringify({ padding: "x".repeat(6 * MEBIBYTE) });
    const answer = await callEndpoint({
      method: "POST",
      query: `?fnId=${FUNCTION}&stepId=step`,
      body,
      headers: server.sign(body),
    });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      413,
      expect.objectContaining({ code: "payload_too_large" }),
    ]);
  });
});

test("with a development server, which signs nothing, a web page cannot run jobs", async () => {
  const development = await startOwnWeb({ INNGEST_DEV: server.url });
  try {
    const call = { method: "POST", query: `?fnId=${FUNCTION}&stepId=step`, body: CALL };
    for (const origin of ["https://evil.example", "null", development.baseUrl]) {
      expect(
        (await callEndpoint({ ...call, headers: { origin, "content-type": "text/plain" } }, development)).status,
      ).toBe(403);
    }
    expect([200, 206]).toContain((await callEndpoint(call, development)).status);
  } finally {
    await development.stop();
  }
});
