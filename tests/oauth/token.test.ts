import { beforeAll, describe, expect, test } from "vitest";

import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

import { type Arranged, arrange, BASE_URL, exchange, obtainCode } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

let arranged: Arranged;
beforeAll(async () => {
  arranged = await arrange(["crm:read"]);
});

const noCredentials = { client_id: undefined, client_secret: undefined };

function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
}

describe("the token endpoint refuses, and the code stays valid,", () => {
  const wrong = "w".repeat(43);
  const cases: [status: number, error: string, why: string, call: (of: Arranged) => Parameters<typeof exchange>[2]][] =
    [
      [401, "invalid_client", "without credentials", () => ({ fields: noCredentials })],
      [401, "invalid_client", "without a secret", () => ({ fields: { client_secret: undefined } })],
      [401, "invalid_client", "for an unknown client", () => ({ fields: { client_id: `crm_${"0".repeat(24)}` } })],
      [401, "invalid_client", "for a wrong secret", () => ({ fields: { client_secret: "wrong" } })],
      [
        401,
        "invalid_client",
        "for a wrong secret by Basic",
        ({ client }) => ({ fields: noCredentials, headers: basic(client.client_id, "wrong") }),
      ],
      [
        401,
        "invalid_client",
        "for a header that is not Basic",
        () => ({ fields: noCredentials, headers: { authorization: "Bearer x" } }),
      ],
      [
        400,
        "invalid_request",
        "for a secret both in header and body",
        ({ client }) => ({ headers: basic(client.client_id, client.client_secret) }),
      ],
      [400, "invalid_request", "for a secret in the URL", () => ({ query: "?client_secret=x" })],
      [400, "invalid_request", "without a grant_type", () => ({ fields: { grant_type: undefined } })],
      [
        400,
        "unsupported_grant_type",
        "for client_credentials",
        () => ({ fields: { grant_type: "client_credentials" } }),
      ],
      [400, "unsupported_grant_type", "for password", () => ({ fields: { grant_type: "password" } })],
      [400, "unsupported_grant_type", "for refresh_token", () => ({ fields: { grant_type: "refresh_token" } })],
      [400, "invalid_request", "without a code", () => ({ fields: { code: undefined } })],
      [400, "invalid_grant", "for an unknown code", () => ({ fields: { code: "unknown" } })],
      [400, "invalid_request", "without a redirect_uri", () => ({ fields: { redirect_uri: undefined } })],
      [
        400,
        "invalid_grant",
        "for another redirect_uri",
        () => ({ fields: { redirect_uri: "https://client.example/other" } }),
      ],
      [400, "invalid_request", "without a code_verifier", () => ({ fields: { code_verifier: undefined } })],
      [400, "invalid_grant", "for a wrong code_verifier", () => ({ fields: { code_verifier: wrong } })],
      [400, "invalid_grant", "for a short code_verifier", () => ({ fields: { code_verifier: "short" } })],
      [
        400,
        "invalid_target",
        "for a resource that is not ours",
        () => ({ fields: { resource: "https://other.example" } }),
      ],
      [
        400,
        "invalid_request",
        "for a body that is no form",
        () => ({ headers: { "content-type": "application/json" } }),
      ],
    ];
  test.each(cases)("%i %s %s", async (status, error, _why, call) => {
    const code = await obtainCode(arranged);
    const response = await exchange(arranged, code, call(arranged));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error, error_description: expect.any(String) });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await exchange(arranged, code)).status).toBe(200);
  });

  test("400 invalid_request for a repeated parameter", async () => {
    const body = `grant_type=authorization_code&grant_type=authorization_code`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await send(`${BASE_URL}/oauth/token`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ error: "invalid_request" });
  });

  test("a body longer than any form", async () => {
    const response = await send(`${BASE_URL}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ code: "x".repeat(70_000) }),
    });
    expect(response.status).toBe(400);
  });

  test("with the challenge of HTTP Basic only if Basic was tried", async () => {
    const posted = await exchange(arranged, "any", { fields: { client_secret: "wrong" } });
    expect(posted.headers.get("www-authenticate")).toBeNull();
    const header = await exchange(arranged, "any", { fields: noCredentials, headers: basic("crm_x", "wrong") });
    expect(header.headers.get("www-authenticate")).toMatch(/^Basic /);
  });
});

test("an access token is valid for an hour from its exchange, as the answer says", async () => {
  const other = await arrange();
  const answer = await exchange(other, await obtainCode(other));
  expect(await answer.json()).toMatchObject({ expires_in: 3600 });
  const { rows } = await pool().query(
    "SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM oauth_tokens WHERE organization_id = $1",
    [other.organizationId],
  );
  expect(rows).toEqual([{ seconds: 3600 }]);
});

const WINDOW_SECONDS = 5 * 60;

test("wrong client secrets are throttled per address, with the wait in words and seconds", async () => {
  await untilWindowLasts(WINDOW_SECONDS);
  const other = await arrange();
  const guess = (address: string) =>
    exchange(other, "any", { fields: { client_secret: "wrong" }, headers: { "x-forwarded-for": address } });
  for (let attempt = 0; attempt < 20; attempt += 1) expect((await guess("203.0.113.7")).status).toBe(401);
  const throttled = await guess("203.0.113.7");
  expect(throttled.status).toBe(429);
  expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await throttled.json()).error_description).toMatch(/Try again in \d+ (minute|second)s?\./);
  expect((await guess("203.0.113.8")).status).toBe(401);
  expect((await exchange(other, await obtainCode(other))).status).toBe(200);
});

test("parallel guesses are throttled as well, and then the right secret has to wait", async () => {
  await untilWindowLasts(WINDOW_SECONDS);
  const other = await arrange();
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const guess = { fields: { client_secret: "wrong" }, headers };
  const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(other, "any", guess)));
  const statuses = answers.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  while ((await exchange(other, "any", guess)).status === 401);
  expect((await exchange(other, "any", { headers })).status).toBe(429);
});

test("right client secrets are never throttled, however many there are", async () => {
  const other = await arrange();
  for (let call = 0; call < 25; call += 1) expect((await exchange(other, "any")).status).toBe(400);
});

test("nor are right client secrets throttled that come at the same moment", async () => {
  const other = await arrange();
  const answers = await Promise.all(Array.from({ length: 60 }, () => exchange(other, "any")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
});
