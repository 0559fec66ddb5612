import { expect, test } from "vitest";

import { pool, readShortly } from "@/lib/db";

/** As many as go over the pipeline at once. */
const IN_PIPELINE = 32;
const LOCK = 4711;

function read(name: string, text: string, values: unknown[] = []) {
  return readShortly<[string]>({ name, text, values, rowMode: "array" });
}

test("each of many statements at once gets its own answer, and one that fails fails alone", async () => {
  const asked = Array.from({ length: 100 }, (_, number) =>
    number === 7 ? read("fails", "SELECT (1 / $1::int)::text", [0]) : read("echo", "SELECT $1::text", [String(number)]),
  );
  const expected = asked.map((_, number) =>
    number === 7 ? { status: "rejected", reason: { code: "22012" } } : { status: "fulfilled", value: { rows: [[String(number)]] } },
  );
  expect(await Promise.allSettled(asked)).toMatchObject(expected);
});

test("what comes while the pipeline is held up takes another connection", async () => {
  const holder = await pool().connect();
  try {
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const heldUp = Array.from({ length: IN_PIPELINE }, () => read("wait", "SELECT pg_advisory_xact_lock($1)::text", [LOCK]));
    expect((await read("echo", "SELECT $1::text", ["passed by"])).rows).toEqual([["passed by"]]);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect(await Promise.all(heldUp)).toHaveLength(IN_PIPELINE);
  } finally {
    holder.release();
  }
});

test("what a connection owes when it breaks is read over another, and the next statement has a new one", async () => {
  const holder = await pool().connect();
  try {
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const before = await read("pid", "SELECT pg_backend_pid()::text");
    const waiting = read("wait", "SELECT pg_advisory_xact_lock($1)::text", [LOCK]);
    await holder.query("SELECT pg_terminate_backend($1::int)", [before.rows[0]?.[0]]);
    const after = await read("pid", "SELECT pg_backend_pid()::text");
    expect(after.rows[0]?.[0]).not.toBe(before.rows[0]?.[0]);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect((await waiting).rows).toHaveLength(1);
  } finally {
    holder.release();
  }
});
