import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type OwnWeb, startOwnWeb } from "@/tests/service/setup/own-web";
import { readDemo, tokenOf } from "@/tests/service/support/demo";
import { startTraceCollector } from "@/tests/support/trace-collector";

const SCRAPER = "a-token-for-scrapers-with-32-characters";

/** Values that a caller sends, none of which may stand in a log, a metric or a trace. */
const SECRETS = {
  cookie: "cookie-that-opens",
  query: "ada.lovelace@example.com",
  body: "name-of-a-customer",
  wrongToken: "wrong-token-that-opens",
};

let web: OwnWeb;
let token: string;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;

beforeAll(async () => {
  collector = await startTraceCollector();
  web = await startOwnWeb({
    METRICS_TOKEN: SCRAPER,
    LOG_LEVEL: "debug",
    LOG_REQUESTS: "true",
    STOP_DELAY_SECONDS: "2",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  token = await tokenOf(readDemo());
});

afterAll(async () => {
  await web.stop();
  collector.stop();
});

/** On a connection of its own, so that it needs a process that listens. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, web.baseUrl), { headers: { connection: "close", ...headers } });
}

const TRACE_ID = "5".repeat(32);

/** Requests that carry secrets wherever a request can. Returns the ids that the answers name. */
async function sendSecrets(): Promise<string[]> {
  const answers = [
    await ask(`/api/v1/accounts?q=${SECRETS.query}`, {
      authorization: `Bearer ${token}`,
      traceparent: `00-${TRACE_ID}-${"6".repeat(16)}-01`,
    }),
    await ask("/api/v1/accounts", { authorization: `Bearer ${SECRETS.wrongToken}` }),
    await ask("/api/v1/accounts", { cookie: `__Secure-session=${SECRETS.cookie}; crm=${SECRETS.cookie}` }),
    await ask(`/accounts?q=${SECRETS.query}`, { cookie: `crm=${SECRETS.cookie}` }),
    await ask(`/api/v1/${SECRETS.body}/${SECRETS.body}`, { authorization: `Bearer ${token}` }),
    await ask("/api/metrics", { authorization: `Bearer ${SECRETS.wrongToken}` }),
    await fetch(new URL("/api/v1/accounts", web.baseUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ unknown_field: SECRETS.body }),
    }),
  ];
  for (const answer of answers) await answer.text();
  return answers.map(({ headers }) => headers.get("x-request-id") ?? "");
}

function expectNoSecret(written: string): void {
  for (const secret of [...Object.values(SECRETS), token, SCRAPER]) expect(written).not.toContain(secret);
}

/** Lines of the log with that message. */
function loggedAs(message: string): Record<string, unknown>[] {
  const lines = web.logged().split("\n");
  const fields = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as { msg?: string });
  return fields.filter(({ msg }) => msg === message);
}

test("each request is one line of the log, with its id and route, and without a token, cookie or address", async () => {
  const ids = await sendSecrets();
  await expect
    .poll(() => ids.filter((id) => !loggedAs("request").some(({ request_id }) => request_id === id)))
    .toEqual([]);
  const ofFirst = loggedAs("request").filter(({ request_id }) => request_id === ids[0]);
  expect(ofFirst).toHaveLength(1);
  expect(ofFirst[0]).toMatchObject({ method: "GET", route: "/api/v1/accounts", trace_id: TRACE_ID });
  expectNoSecret(web.logged());
});

test("what a route logs names the request and its trace", async () => {
  await web.database.cut();
  const answer = await ask("/api/v1/accounts", {
    authorization: `Bearer ${token}`,
    traceparent: `00-${TRACE_ID}-${"6".repeat(16)}-01`,
  });
  await web.database.heal();
  expect(answer.status).toBe(503);
  const names = { request_id: answer.headers.get("x-request-id"), trace_id: TRACE_ID };
  await expect.poll(() => loggedAs("the database is unavailable")).toMatchObject([names]);
});

test("a page that an outage prevents says so by its status", async () => {
  await web.database.cut();
  const answer = await ask("/sign-in", {});
  await web.database.heal();
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  await expect
    .poll(() => loggedAs("the database is unavailable").at(-1))
    .toMatchObject({ what: "/sign-in", digest: expect.any(String) as string });
});

test("a scraper finds requests by route and status, and neither an address nor a secret", async () => {
  const answer = await ask("/api/metrics", { authorization: `Bearer ${SCRAPER}` });
  const metrics = await answer.text();
  expect(answer.status).toBe(200);
  for (const labels of [
    'method="GET",route="/api/v1/accounts",status="401"',
    'method="POST",route="/api/v1/accounts",status="400"',
    'method="GET",route="/api/v1/{resource}/{id}",status="404"',
  ]) {
    expect(metrics).toContain(`crm_http_request_duration_seconds_count{${labels}}`);
  }
  expect(metrics).toMatch(/^crm_job_workers [1-9]/m);
  expect(metrics).toMatch(/^crm_database_pool_connections \d/m);
  expectNoSecret(metrics);
});

/** A request of which half has been sent. `finish` sends the rest and resolves with the status of its answer. */
async function sendHalf(): Promise<{ finish: () => Promise<number | undefined> }> {
  const body = JSON.stringify({ name: "Sent while the process stops" });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = httpRequest(new URL("/api/v1/accounts", web.baseUrl), { method: "POST", headers });
  sent.write(body.slice(0, 10));
  await once(sent, "socket").then(([socket]) => (socket.connecting ? once(socket, "connect") : undefined));
  return {
    finish: async () => {
      sent.end(body.slice(10));
      const [response] = await once(sent, "response");
      await text(response);
      return response.statusCode;
    },
  };
}

// It stops the process for good: a second try would find none.
const ONCE = { retry: 0 };

test(
  "a process that stops is first not ready, refuses connections, answers what is in hand, and logs it",
  ONCE,
  async () => {
    const pending = await sendHalf();
    expect((await ask("/api/health/ready")).status).toBe(200);
    const stopped = web.stop();
    await expect.poll(async () => (await ask("/api/health/ready")).status).toBe(503);
    await expect
      .poll(() =>
        ask("/api/health/live").then(
          () => "answered",
          () => "refused",
        ),
      )
      .toBe("refused");
    expect(await pending.finish()).toBe(201);
    await stopped;
    const { port } = new URL(web.baseUrl);
    expect(loggedAs("web ready")).toMatchObject([{ port: Number(port) }]);
    expect(loggedAs("web stopping")).toMatchObject([{ signal: "SIGTERM" }]);
    expect(loggedAs("web stopped")).toMatchObject([{ all_ended: true }]);
    const sent = collector.received.join("\n");
    expect(sent).toContain(TRACE_ID);
    expect(sent).toContain("GET /api/v1/accounts");
    expectNoSecret(sent);
  },
);
