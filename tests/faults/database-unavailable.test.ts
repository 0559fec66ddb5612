import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { GET as live } from "@/app/api/health/live/route";
import { GET as ready } from "@/app/api/health/ready/route";
import { GET as authorize } from "@/app/oauth/authorize/route";
import { POST as token } from "@/app/oauth/token/route";
import { retriedPool } from "@/inngest/engine/tasks";
import { closeDatabase, pool, prisma } from "@/lib/database/db";
import { unavailability } from "@/lib/unavailable";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { isTransient } from "@/lib/migration/failure";
import { holdPool, waiting, waitingAtMost } from "@/tests/faults/support/held-pool";
import { freePort } from "@/scripts/service/free-port";
import { type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";
import { type Answered, callerWith } from "@/tests/http/support/call-api";
import { callTool } from "@/tests/mcp/support/post";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";

const NOT_CONNECTED =
  "The service gets no connection to its database at the moment. Try again in 5 seconds. If it was to change " +
  "something, look first whether it has.";

const CREATES = 10;

let keyed: Keyed;
const warn = vi.spyOn(log, "warn");
const error = vi.spyOn(log, "error");

beforeEach(async () => {
  keyed = await keyedRequests();
  warn.mockClear();
  error.mockClear();
});

afterEach(closeDatabase);

function expectUnavailable({ status, headers, body }: Answered, detail: string | RegExp = NOT_CONNECTED): void {
  expect({ status, code: body.code, retryAfter: headers.get("retry-after") }).toEqual({
    status: 503,
    code: "service_unavailable",
    retryAfter: "5",
  });
  expect(body.detail).toMatch(detail);
}

async function namesOf(table = "accounts"): Promise<unknown[]> {
  return (await keyed.rowsOf(table)).map(({ name }) => name);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Account ${index}`);

test("requests wait while every connection is in use, and go on in their order once one is free", async () => {
  using held = await holdPool();
  const done: string[] = [];
  const creates = numbered(4).map(async (name) => {
    const created = await keyed.createWith(name.replace(" ", "-"), name);
    done.push(name);
    return created.status;
  });
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(await namesOf()).toEqual([]);
  held.releaseOne();
  expect(await Promise.all(creates)).toEqual([201, 201, 201, 201]);
  held.releaseAll();
  expect(done).toEqual(numbered(4));
  expect((await namesOf()).toSorted()).toEqual(numbered(4));
});

test("when none becomes free in time the answer is a 503, and a repeat with its key writes one record", async () => {
  using held = await holdPool();
  const create = () => Promise.all(numbered(CREATES).map((name) => keyed.createWith(name.replace(" ", "-"), name)));
  for (const refused of await waitingAtMost(300, create)) expectUnavailable(refused);
  held.releaseAll();
  expect(await namesOf()).toEqual([]);
  expect((await create()).map(({ status }) => status)).toEqual(Array(CREATES).fill(201));
  expect((await create()).map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(
    Array(CREATES).fill("true"),
  );
  expect((await namesOf()).toSorted()).toEqual(numbered(CREATES));
});

test("an outage is one warning per request, without a stack trace", async () => {
  using held = await holdPool();
  await waitingAtMost(100, () => keyed.call("GET", "/accounts"));
  const refused = await waitingAtMost(100, () => keyed.createWith("key-1"));
  held.releaseAll();
  const request_id = refused.body.request_id;
  expect(warn.mock.calls.filter(([fields]) => (fields as { request_id?: string }).request_id === request_id)).toEqual([
    [{ request_id, reason: "timeout exceeded when trying to connect", error_code: undefined }, expect.any(String)],
  ]);
  expect(error).not.toHaveBeenCalled();
});

test("while every connection is in use the process is live and not ready", async () => {
  using held = await holdPool();
  const answer = await ready();
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { reasons: ["database"], database: { answers: false } },
  ]);
  expect(live().status).toBe(200);
  held.releaseAll();
  expect(await (await ready()).json()).toMatchObject({ database: { answers: true } });
});

/** PostgreSQL is down while `work` runs: nothing listens at its address. */
async function withoutPostgres<Result>(work: () => Promise<Result>): Promise<Result> {
  const { DATABASE_URL: url = "" } = env;
  await closeDatabase();
  Object.assign(env, { DATABASE_URL: `postgresql://crm@127.0.0.1:${await freePort()}/crm` });
  try {
    return await work();
  } finally {
    await closeDatabase();
    Object.assign(env, { DATABASE_URL: url });
  }
}

test("while PostgreSQL is down API, OAuth and pages say so, and jobs try again", async () => {
  const { context } = keyed;
  const call = callerWith(await createAccessToken(context));
  await withoutPostgres(async () => {
    expectUnavailable(await call("GET", "/accounts"));
    expectUnavailable(await call("POST", "/accounts", { body: { name: "Alpine Tools" } }));
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "crm_x", client_secret: "y" });
    const client = await token(new Request("http://localhost:3000/oauth/token", { method: "POST", body }));
    expect([client.status, client.headers.get("retry-after"), await client.json()]).toEqual([
      503,
      "5",
      { error: "temporarily_unavailable", error_description: NOT_CONNECTED },
    ]);
    const page = await authorize(new Request(`http://localhost:3000/oauth/authorize?client_id=crm_${"0".repeat(24)}`));
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("Reload this page in 5 seconds.")]);
    const failure: unknown = await prisma()
      .users.findFirst()
      .catch((thrown: unknown) => thrown);
    expect(unavailability(failure)?.message).toBe(NOT_CONNECTED);
    expect(isTransient(failure)).toBe(true);
  });
  expect(error).not.toHaveBeenCalled();
  expect((await call("GET", "/accounts")).status).toBe(200);
});

/** Fails every insertion of an account as PostgreSQL does in trouble, while `work` runs. */
async function failing<Result>(statement: string, work: () => Promise<Result>, when = "BEFORE"): Promise<Result> {
  const timing = when === "COMMIT" ? "CONSTRAINT TRIGGER in_trouble AFTER" : `TRIGGER in_trouble ${when}`;
  const deferred = when === "COMMIT" ? "DEFERRABLE INITIALLY DEFERRED" : "";
  await owner().query(`
    CREATE FUNCTION in_trouble() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE ${timing} INSERT ON accounts ${deferred} FOR EACH ROW EXECUTE FUNCTION in_trouble()`);
  try {
    return await work();
  } finally {
    await owner().query("DROP TRIGGER in_trouble ON accounts; DROP FUNCTION in_trouble");
  }
}

const raise = (code: string) => `RAISE EXCEPTION 'in trouble' USING ERRCODE = '${code}'`;

test.each(["53100", "53200", "53300"])("a write that PostgreSQL has no room for is a 503: %s", async (code) => {
  expectUnavailable(
    await failing(raise(code), () => keyed.createWith("key-1")),
    /disk space.*look first whether it has\./,
  );
  expect((await keyed.createWith("key-1")).status).toBe(201);
  expect(await namesOf()).toHaveLength(1);
});

test.each(["57P01", "57P02", "08006"])("a write whose connection ended is in doubt: %s", async (code) => {
  const { status, body } = await failing(raise(code), () => keyed.createWith("key-1"));
  expect([status, body.detail]).toEqual([503, expect.stringContaining("A change may have been made nevertheless")]);
});

test("a statement that takes too long is broken off, which is no defect, and not worth the same again", async () => {
  const { status, headers, body } = await failing(raise("57014"), () => keyed.createWith("key-1"));
  expect([status, headers.get("retry-after")]).toEqual([503, null]);
  expect(body.detail).toMatch(/this step changed nothing.*for less at once/);
  expect((await keyed.createWith("key-1")).status).toBe(201);
  expect(error).not.toHaveBeenCalled();
});

test("a COMMIT without an answer is in doubt: its repeat with the same key waits, and writes one record", async () => {
  const end = "PERFORM pg_terminate_backend(pg_backend_pid())";
  const lost = await failing(end, () => keyed.createWith("key-1"), "COMMIT");
  expectUnavailable(lost, /repeat it with the same `Idempotency-Key`\.$/);
  expect((await keyed.createWith("key-1")).body.code).toBe("idempotency_key_in_use");
  await keyed.setKeys("leased_until = now()");
  expect((await keyed.createWith("key-1")).status).toBe(201);
  expect(await namesOf()).toHaveLength(1);
});

/** The code of the error that graphile-worker would get for a statement. */
async function codeAfter(text: string): Promise<unknown> {
  const client = await retriedPool(pool()).connect();
  try {
    return await client.query(text).catch(({ code }: { code: string }) => code);
  } finally {
    client.release();
  }
}

test("what graphile-worker sends is tried again after any outage; before, one could end the worker", async () => {
  const again = "57P03";
  expect(await codeAfter("SELECT pg_terminate_backend(pg_backend_pid())")).toBe(again);
  expect(await codeAfter(`DO $$ BEGIN ${raise("53100")}; END $$`)).toBe(again);
  await expect(withoutPostgres(() => codeAfter("SELECT"))).rejects.toMatchObject({ code: again });
  expect(await codeAfter("SELECT 1 / 0")).toBe("22012");
});

test("an assistant is told in its own words", async () => {
  const context = await createContext();
  const create = () => callTool(context, "create_record", { object: "accounts", fields: { name: "Alpine Tools" } });
  const result = await failing(raise("57P01"), create);
  expect(result.isError).toBe(true);
  expect(result.text).toBe(
    "The connection to the database broke before it had answered. Try again in 5 seconds. A change may have been " +
      "made nevertheless: look before you repeat it. (service_unavailable)\nTry again after 5 seconds.",
  );
  expect(error).not.toHaveBeenCalled();
});
