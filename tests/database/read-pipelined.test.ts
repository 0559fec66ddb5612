import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

import type { PoolClient } from "pg";
import { afterEach, expect, test, vi } from "vitest";

import { pool, readPipelined } from "@/lib/database/db";
import { Pipeline, PipelineBroken } from "@/lib/database/pipelined-reads";
import { log } from "@/lib/log";
import { listen } from "@/tests/support/hosts";
import { pool as owner } from "@/tests/support/owner";

const LOCK = 4711;
/** In milliseconds: from when on a statement without an answer stalls the pipeline, and when it is cancelled. */
const STALL_MS = 50;
const TIMEOUT_MS = 100;

afterEach(() => vi.restoreAllMocks());

/** From now on, everything that was sent is older by this. */
function passTime(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

function read(name: string, text: string, values: unknown[] = []) {
  return readPipelined<[string]>({ name, text, values, rowMode: "array" });
}

let waits = 0;

/** A statement over the pipeline that waits until the holder releases the lock. */
function wait(lock = LOCK, name = `wait ${(waits += 1)}`) {
  return read(name, "SELECT pg_advisory_xact_lock($1)::text", [lock]);
}

async function pid(): Promise<string | undefined> {
  return (await read("pid", "SELECT pg_backend_pid()::text")).rows[0]?.[0];
}

/** The process that waits for the lock, as soon as one does. */
async function waitingPid(): Promise<string> {
  for (;;) {
    const waiting = "SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted";
    const { rows } = await pool().query<{ pid: string }>(waiting, [LOCK]);
    if (rows[0]) return rows[0].pid;
  }
}

async function withHolder(work: (holder: PoolClient) => Promise<void>): Promise<void> {
  const holder = await pool().connect();
  try {
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await work(holder);
  } finally {
    holder.release(true);
  }
}

test("each of many concurrent statements gets its own answer, and a failure affects only one", async () => {
  const asked = Array.from({ length: 100 }, (_, number) =>
    number === 7 ? read("fails", "SELECT (1 / $1::int)::text", [0]) : read("echo", "SELECT $1::text", [String(number)]),
  );
  const expected = asked.map((_, number) =>
    number === 7
      ? { status: "rejected", reason: { code: "22012" } }
      : { status: "fulfilled", value: { rows: [[String(number)]] } },
  );
  expect(await Promise.allSettled(asked)).toMatchObject(expected);
});

test("a statement whose first use fails does not fail the others of that name", async () => {
  await owner().query("CREATE TABLE held (value text)");
  await owner().query("GRANT ALL ON held TO PUBLIC");
  const holder = await pool().connect();
  try {
    const before = await pid();
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE held");
    const asked = Promise.allSettled(
      Array.from({ length: 3 }, () => read("count held", "SELECT count(*)::text FROM held")),
    );
    // It is cancelled there, and waits over the pool.
    const isWaiting = "SELECT FROM pg_locks WHERE relation = 'held'::regclass AND NOT granted AND pid <> $1";
    while (!(await owner().query(isWaiting, [before])).rowCount);
    await holder.query("ROLLBACK");
    const counted = { status: "fulfilled", value: { rows: [["0"]] } };
    expect(await asked).toMatchObject([counted, counted, counted]);
  } finally {
    holder.release(true);
  }
});

test("statements that arrive while the pipeline is stalled use the pool", () =>
  withHolder(async (holder) => {
    const before = await pid();
    const heldUp = wait();
    passTime(STALL_MS + 1);
    expect(await pid()).not.toBe(before);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect((await heldUp).rows).toHaveLength(1);
  }));

test("the pipeline stays stalled when one answer comes, but the next statement has waited as long", () =>
  withHolder(async (holder) => {
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK + 1]);
    const before = await pid();
    const [first, second] = [wait(), wait(LOCK + 1)];
    passTime(STALL_MS + 1);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    await first;
    expect(await pid()).not.toBe(before);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK + 1]);
    expect((await second).rows).toHaveLength(1);
  }));

test("a statement that takes too long is logged and answered over the pool, where it is sent from then on", () =>
  withHolder(async (holder) => {
    const warn = vi.spyOn(log, "warn");
    const before = await pid();
    const heldUp = wait(LOCK, "long");
    while ((await waitingPid()) === before);
    await setTimeout(TIMEOUT_MS + 1);
    expect(await pid()).toBe(before);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect((await heldUp).rows).toHaveLength(1);
    const slow = { statement: "long", duration_ms: expect.any(Number) };
    expect(warn.mock.calls).toEqual([[slow, "a statement is slow"]]);
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const again = wait(LOCK, "long");
    expect(await waitingPid()).not.toBe(before);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect((await again).rows).toHaveLength(1);
  }));

test("unanswered statements of a broken pipeline are sent again, and the next has a new one", () =>
  withHolder(async (holder) => {
    const before = await pid();
    const waiting = wait();
    await holder.query("SELECT pg_terminate_backend($1::int)", [before]);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    expect((await waiting).rows).toHaveLength(1);
    expect(await pid()).not.toBe(before);
  }));

test("a server that does not answer is given up, and does not delay the shutdown", async () => {
  await using server = createServer((socket) => socket.resume());
  const { port } = new URL(await listen(server));
  const pipeline = new Pipeline({
    host: "127.0.0.1",
    port: Number(port),
    user: "crm",
    database: "crm",
  });
  await expect(pipeline.read({ name: "one", text: "SELECT 1", values: [], rowMode: "array" })).rejects.toThrow(
    PipelineBroken,
  );
  await pipeline.close();
});
