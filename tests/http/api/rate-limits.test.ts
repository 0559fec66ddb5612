import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { GET as live } from "@/app/api/health/live/route";
import type { Context } from "@/lib/context";
import { pool as service } from "@/lib/database/db";
import { env } from "@/lib/env";
import { countRequest } from "@/lib/http/api/rate-limit";
import { newId } from "@/lib/ids";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { lockWaits, untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

import { callerWith } from "@/tests/http/support/call-api";

let context: Context;

beforeAll(async () => {
  context = await createContext({ scopes: ["crm:write"] });
});

afterEach(() => {
  env.RATE_LIMIT_PER_MINUTE = 0;
  env.RATE_LIMIT_STORE = "memory";
  vi.useRealTimers();
});

const client = () => ({ clientId: newId(), userId: context.userId });

test.each(["memory", "postgres"] as const)(
  "counted in %s: so many in a minute, then the seconds to wait; each client separately",
  async (store) => {
    env.RATE_LIMIT_PER_MINUTE = 3;
    env.RATE_LIMIT_STORE = store;
    await untilWindowLasts(60, 5);
    const asked = client();
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await countRequest(asked));
    expect(answers.map(({ headers }) => headers.ratelimit?.replace(/\d+$/, ""))).toEqual(
      [2, 1, 0, 0, 0].map((left) => `"client";r=${left};t=`),
    );
    expect(answers.map(({ refusal }) => refusal?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      "too_many_requests",
      "too_many_requests",
    ]);
    const [, seconds] = /t=(\d+)$/.exec(answers[3]?.headers.ratelimit ?? "") ?? [];
    expect(answers[3]?.refusal?.retryAfter).toBe(Number(seconds));
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    expect((await countRequest(client())).refusal).toBeUndefined();
  },
);

test("counted in postgres, simultaneous requests of all processes are counted", async () => {
  env.RATE_LIMIT_PER_MINUTE = 20;
  env.RATE_LIMIT_STORE = "postgres";
  await untilWindowLasts(60, 5);
  const asked = client();
  const answers = await Promise.all(Array.from({ length: 30 }, () => countRequest(asked)));
  expect(answers.filter(({ refusal }) => refusal)).toHaveLength(10);
  const { rows } = await pool().query("SELECT key FROM throttles");
  expect(JSON.stringify(rows)).not.toContain(asked.clientId);
});

test("counted in postgres, a client takes one connection, whatever it sends, and none once it is refused", async () => {
  env.RATE_LIMIT_PER_MINUTE = 3;
  env.RATE_LIMIT_STORE = "postgres";
  await untilWindowLasts(60, 10);
  const asked = client();
  await countRequest(asked);
  const holder = await pool().connect();
  const answers: ReturnType<typeof countRequest>[] = [];
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM throttles FOR UPDATE");
    answers.push(countRequest(asked));
    await untilLockWaits(1);
    for (let more = 0; more < 9; more += 1) answers.push(countRequest(asked));
    // When it is answered, whatever those requests have sent has taken a connection.
    await service().query("SELECT");
    expect(service().totalCount - service().idleCount).toBe(1);
    expect(await lockWaits()).toBe(1);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  expect((await Promise.all(answers)).map(({ refusal }) => refusal === undefined)).toEqual(
    answers.map((_, index) => index < 2),
  );
  const counts = "SELECT key, count FROM throttles ORDER BY key";
  const { rows: before } = await pool().query(counts);
  const { headers, refusal } = await countRequest(asked);
  expect(headers.ratelimit).toBe(`"client";r=0;t=${refusal?.retryAfter}`);
  expect((await pool().query(counts)).rows).toEqual(before);
});

test("counted in memory, the next minute starts again at zero", async () => {
  env.RATE_LIMIT_PER_MINUTE = 1;
  // Made first: ids of this process never go back in time.
  const asked = client();
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:30.500Z") });
  expect((await countRequest(asked)).headers).toEqual({
    "ratelimit-policy": '"client";q=1;w=60',
    ratelimit: '"client";r=0;t=30',
  });
  expect((await countRequest(asked)).refusal?.retryAfter).toBe(30);
  vi.setSystemTime(new Date("2030-01-01T00:01:00.000Z"));
  expect((await countRequest(asked)).refusal).toBeUndefined();
});

test("people in our own pages have a limit five times as high, each separately", async () => {
  env.RATE_LIMIT_PER_MINUTE = 7;
  const asked = { clientId: null, userId: newId() };
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-01-01T00:00:00Z") });
  const { headers } = await countRequest(asked);
  expect(headers).toEqual({ "ratelimit-policy": '"pages";q=35;w=60', ratelimit: '"pages";r=34;t=60' });
});

test("every response says what is left, refusals included; without a limit none does", async () => {
  const call = callerWith(await createAccessToken(context));
  expect((await call("GET", "/accounts")).headers.get("ratelimit")).toBeNull();
  env.RATE_LIMIT_PER_MINUTE = 1000;
  const answers = [
    await call("GET", "/accounts"),
    await call("GET", "/accounts?x=1"),
    await call("POST", "/accounts", { body: { name: "x" }, headers: { "idempotency-key": "key" } }),
    await call("POST", "/accounts", { body: { name: "x" }, headers: { "idempotency-key": "key" } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 201, 201]);
  for (const { headers } of answers) expect(headers.get("ratelimit-policy")).toBe('"client";q=1000;w=60');
  expect(new Set(answers.map(({ headers }) => headers.get("ratelimit"))).size).toBe(4);
});

test("unauthenticated requests are not counted, nor are those for health", async () => {
  env.RATE_LIMIT_PER_MINUTE = 1;
  for (let index = 0; index < 3; index += 1) {
    expect((await callerWith("unknown")("GET", "/accounts")).status).toBe(401);
    const healthy = live();
    expect([healthy.status, healthy.headers.get("ratelimit")]).toEqual([200, null]);
  }
});
