import { Client } from "pg";
import { beforeEach, describe, expect, test } from "vitest";

import { pool } from "@/tests/support/owner";

import { isReplayed, type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";

let createWith: Keyed["createWith"];
let rowsOf: Keyed["rowsOf"];
let setKeys: Keyed["setKeys"];

beforeEach(async () => {
  ({ createWith, rowsOf, setKeys } = await keyedRequests());
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

test("after a COMMIT with a lost reply the work is not repeated: the repeat waits as after a crash", async () => {
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

const die = () => setKeys("status = NULL, headers = NULL, body = NULL");

describe("when the service died over the first", () => {
  test("the repeat waits for the lease, and is carried out then", async () => {
    await createWith("key-12");
    await die();
    expect((await createWith("key-12")).body.code).toBe("idempotency_key_in_use");
    await setKeys("leased_until = now() - interval '1 second'");
    expect((await createWith("key-12", "Another")).body.code).toBe("idempotency_key_reused");
    const repeated = await createWith("key-12");
    expect([repeated.status, isReplayed(repeated)]).toEqual([201, false]);
    expect(isReplayed(await createWith("key-12"))).toBe(true);
  });

  test("of many repeats at once one is carried out", async () => {
    await createWith("key-13");
    await die();
    await setKeys("leased_until = now() - interval '1 second'");
    await Promise.all(Array.from({ length: 8 }, () => createWith("key-13")));
    expect(await rowsOf("accounts")).toHaveLength(2);
  });
});
