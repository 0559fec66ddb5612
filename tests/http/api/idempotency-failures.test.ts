import { Client } from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { pool } from "@/tests/support/owner";

import { isReplayed, type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";

let createWith: Keyed["createWith"];
let rowsOf: Keyed["rowsOf"];
let setKeys: Keyed["setKeys"];
let context: Keyed["context"];

beforeEach(async () => {
  ({ context, createWith, rowsOf, setKeys } = await keyedRequests());
});

test("the response to a defect is not kept: the repeat is carried out", async () => {
  await pool().query("ALTER TABLE events RENAME TO mislaid");
  try {
    expect((await createWith("key-11")).status).toBe(500);
  } finally {
    await pool().query("ALTER TABLE mislaid RENAME TO events");
  }
  const repeated = await createWith("key-11");
  expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
});

test("after a COMMIT with a lost reply the work is not repeated, neither at once nor after the lease", async () => {
  const { query } = Client.prototype;
  Client.prototype.query = function losing(this: Client, sent: { text: string; callback: (error: Error) => void }) {
    const { callback } = sent;
    if (sent.text === "COMMIT") sent.callback = () => callback(new Error("Connection terminated unexpectedly"));
    return Reflect.apply(query, this, [sent]) as unknown;
  } as unknown as typeof query;
  const lost = await createWith("key-30").finally(() => (Client.prototype.query = query));
  expect([lost.status, lost.body.code, lost.headers.get("retry-after")]).toEqual([503, "service_unavailable", "5"]);
  expect(lost.body.detail).toContain("repeat it with the same `Idempotency-Key`");
  expect((await createWith("key-30")).body.code).toBe("idempotency_key_in_use");
  await setKeys("leased_until = now() - interval '1 second'");
  const repeated = await createWith("key-30");
  expect([repeated.status, repeated.body.code]).toEqual([422, "idempotency_key_reused"]);
  expect(repeated.body.detail).toContain("has been carried out, at least in part");
  expect(await rowsOf("accounts")).toHaveLength(1);
});

test("a response that asks to try again is not kept: the repeat is carried out", async () => {
  await pool().query(`CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40P01'; END $$;
    CREATE TRIGGER undo BEFORE INSERT ON events EXECUTE FUNCTION undo()`);
  try {
    const refused = await createWith("key-29");
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "1",
    ]);
  } finally {
    await pool().query("DROP TRIGGER undo ON events");
  }
  const repeated = await createWith("key-29");
  expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
});

const loseAnswer = () => setKeys("status = NULL, headers = NULL, body = NULL");
const endLease = () => setKeys("leased_until = now() - interval '1 second'");

const die = async () => {
  await loseAnswer();
  await setKeys("committed = false");
};

describe("when the service died over the first before it had committed anything", () => {
  test("the repeat waits for the lease, and is carried out then", async () => {
    await createWith("key-12");
    await die();
    expect((await createWith("key-12")).body.code).toBe("idempotency_key_in_use");
    await endLease();
    expect((await createWith("key-12", "Another")).body.code).toBe("idempotency_key_reused");
    const repeated = await createWith("key-12");
    expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
    expect(isReplayed(await createWith("key-12"))).toBe(true);
  });

  test("of many repeats at once one is carried out", async () => {
    await createWith("key-13");
    await die();
    await endLease();
    await Promise.all(Array.from({ length: 8 }, () => createWith("key-13")));
    expect(await rowsOf("accounts")).toHaveLength(2);
  });
});

test("when the service died between the commit and its answer, no repeat does the work again", async () => {
  await createWith("key-31");
  await loseAnswer();
  await endLease();
  const repeats = await Promise.all(Array.from({ length: 8 }, () => createWith("key-31")));
  expect(new Set(repeats.map(({ body }) => body.code))).toEqual(new Set(["idempotency_key_reused"]));
  expect(await rowsOf("accounts")).toHaveLength(1);
});

test("a repeat waits for a commit of the first that is under way, and does not do the work again", async () => {
  await createWith("key-32");
  await loseAnswer();
  await setKeys("committed = false");
  await endLease();
  // The first, whose process lives on although its lease has ended.
  const first = await pool().connect();
  await first.query("BEGIN");
  await first.query("UPDATE idempotency_keys SET committed = true WHERE organization_id = $1", [
    context.organizationId,
  ]);
  const repeat = createWith("key-32");
  await untilBlocked();
  await first.query("COMMIT");
  first.release();
  expect((await repeat).body.code).toBe("idempotency_key_reused");
  expect(await rowsOf("accounts")).toHaveLength(1);
});

async function untilBlocked(): Promise<void> {
  const BLOCKED =
    "SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0 AND query ~ 'idempotency_keys'";
  await vi.waitUntil(async () => (await pool().query(BLOCKED)).rowCount, { timeout: 60_000 });
}
