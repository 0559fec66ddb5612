import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { answerExpectations, refuseInvalidRequest } from "@/scripts/service/web/refuse-invalid";
import { listen } from "@/tests/support/hosts";

function createRefusingServer() {
  const server = createServer((request, response) => void answer(request, response));
  answerExpectations(server);
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await refuseInvalidRequest(request, response, "the-id"))) response.end("not refused");
}

test("an unreadable request is answered with a problem on the API, elsewhere with a page and a link", async () => {
  await using server = createRefusingServer();
  const origin = await listen(server);
  const page = await fetch(`${origin}/a%ZZ`);
  expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect([page.headers.get("x-request-id"), page.headers.get("x-content-type-options")]).toEqual(["the-id", "nosniff"]);
  expect(await page.text()).toContain('<a href="/">Go to the start page</a>');
  const refused = await fetch(`${origin}/accounts`, { method: "PROPFIND" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
  const problem = await fetch(`${origin}/api/v1/a%ZZ`);
  expect(await problem.json()).toMatchObject({ code: "invalid_request", status: 400 });
});

test.each(["/api/auth/sign-in", "/oauth/token", "/api/v1/accounts"])(
  "a body that declares more than any route reads is refused at %s before it comes, and the connection closed",
  async (path) => {
    await using server = createRefusingServer();
    const { port } = new URL(await listen(server));
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length:`;
    const client = connect(Number(port), "127.0.0.1").setNoDelay();
    client.write(`${head} 999999999\r\n\r\na=1`);
    const said = await text(client);
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    expect(said).toContain("`content-length` declares too much");
    // The longest body of all, and what is discarded beyond it, so that its sender sees why it is refused.
    const longest = connect(Number(port), "127.0.0.1").setNoDelay();
    longest.write(`${head} ${12 * 1024 * 1024}\r\nconnection: close\r\n\r\na=1`);
    expect(await text(longest)).toContain("not refused");
  },
);

test("a client that asks before it sends too much is refused, and one that sends less is asked to", async () => {
  await using server = createRefusingServer();
  const { port } = new URL(await listen(server));
  const ask = (length: number): Promise<string> => {
    const client = connect(Number(port), "127.0.0.1");
    const head = "POST /oauth/token HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\nconnection: close";
    client.write(`${head}\r\ncontent-length: ${length}\r\n\r\n`);
    return text(client);
  };
  expect(await ask(999_999_999)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await ask(3)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

/** What is said on one connection to requests that are sent at once. */
async function answersTo(origin: string, requests: readonly string[]): Promise<string> {
  const client = connect(Number(new URL(origin).port), "127.0.0.1");
  client.write(requests.join(""));
  return text(client);
}

const LAST = "GET /api/v1/accounts HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";

test.each([
  ["GET", 'content-length: 7\r\n\r\n{"a":1}'],
  ["GET", "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
  ["HEAD", "content-length: 3\r\n\r\n{ }"],
])("%s is refused with a body that no route would see, and the connection goes on (%#)", async (method, rest) => {
  await using server = createRefusingServer();
  const origin = await listen(server);
  const said = await answersTo(origin, [`${method} /api/v1/accounts?limit=1 HTTP/1.1\r\nhost: a\r\n${rest}`, LAST]);
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
  expect(said.includes("No body is read here; leave it out.")).toBe(method === "GET");
});

test.each([
  ["an empty body", "GET /api/v1/accounts", "content-length: 0\r\n\r\n"],
  ["an empty object", "GET /api/v1/accounts", "content-length: 2\r\n\r\n{}"],
  ["a path outside the API", "GET /api/health/live", "content-length: 3\r\n\r\na=1"],
  ["a method with a body", "POST /api/v1/accounts", "content-length: 3\r\n\r\na=1"],
])("%s is let through", async (_, line, rest) => {
  await using server = createRefusingServer();
  const said = await answersTo(await listen(server), [`${line} HTTP/1.1\r\nhost: a\r\n${rest}`, LAST]);
  expect(said.match(/not refused/g)).toHaveLength(2);
});
