import type { PoolClient } from "pg";
import { expect, test } from "vitest";

import { setStatementTimeout, pool, transaction, retriedTransaction } from "@/lib/database/db";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";

test.each(["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])(
  "every connection has a %s, of a minute at most",
  async (name) => {
    const { rows } = await pool().query<{ setting: string }>("SELECT setting FROM pg_settings WHERE name = $1", [name]);
    const milliseconds = Number(rows[0]?.setting);
    expect(milliseconds).toBeGreaterThan(0);
    expect(milliseconds).toBeLessThanOrEqual(60_000);
  },
);

test("a write whose lock is unavailable is asked to retry, and is not retried itself", async () => {
  let attempts = 0;
  const waiting = () =>
    retriedTransaction(async (client) => {
      attempts += 1;
      await client.query("SET LOCAL lock_timeout = '20ms'");
      await client.query("LOCK TABLE accounts");
    });
  await transaction(async (client) => {
    await client.query("LOCK TABLE accounts");
    await expect(waiting()).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 1 });
  });
  expect(attempts).toBe(1);
});

test("a lock that is unavailable elsewhere is no defect either", async () => {
  await transaction(async (client) => {
    await client.query("LOCK TABLE accounts");
    const waiting = transaction(async (other) => {
      await other.query("SET LOCAL lock_timeout = '20ms'");
      await other.query("LOCK TABLE accounts");
    });
    const answer = problemResponse(await waiting.catch((error: unknown) => error), newId());
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await answer.json()).toMatchObject({ code: "too_many_requests" });
  });
});

/** The longest string of V8 has 2^29 - 24 units. */
const UNREADABLE = "SELECT repeat('x', 536870889) AS text";

async function backends(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND state = 'active'`,
  );
  return rows[0]?.count ?? 0;
}

test("an answer too long for a string fails its statement and costs only its connection", async () => {
  await expect(transaction((client) => client.query(UNREADABLE))).rejects.toMatchObject({
    code: "ERR_STRING_TOO_LONG",
  });
  await expect.poll(() => pool().totalCount - pool().idleCount).toBe(0);
  const { rows } = await pool().query<{ one: number }>("SELECT 1 AS one");
  expect(rows).toEqual([{ one: 1 }]);
});

test("a statement without an answer costs its connection, and no other gets the answer", async () => {
  const asleep = { text: "SELECT pg_sleep(600)", query_timeout: 100 };
  await expect(pool().query(asleep)).rejects.toThrow("Query read timeout");
  await expect(transaction((client) => client.query(asleep))).rejects.toThrow("Query read timeout");
  // As in Prisma and the engine: the holder releases the connection without an error.
  const client = await pool().connect();
  await expect(client.query(asleep)).rejects.toThrow("Query read timeout");
  client.release();
  await expect.poll(() => pool().totalCount - pool().idleCount).toBe(0);
  await Promise.all(
    Array.from({ length: 20 }, async () => expect((await pool().query("SELECT 2 AS two")).rows).toEqual([{ two: 2 }])),
  );
  await pool().query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'SELECT pg_sleep%'`,
  );
  await expect.poll(backends).toBe(0);
});

test("every connection of the pool times out later than PostgreSQL itself would", () => {
  const { query_timeout, connectionTimeoutMillis } = pool().options as {
    query_timeout?: number;
    connectionTimeoutMillis?: number;
  };
  expect(query_timeout).toBe(75_000);
  expect(connectionTimeoutMillis).toBe(60_000);
});

function timeoutOf(client: PoolClient): number {
  return (client as unknown as { connectionParameters: { query_timeout: number } }).connectionParameters.query_timeout;
}

test("a longer statement timeout applies to pg too, until the transaction ends", async () => {
  const held = await transaction(async (client) => {
    await setStatementTimeout(client, 600_000);
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    );
    expect([rows[0]?.setting, timeoutOf(client)]).toEqual(["600000", 615_000]);
    return client;
  });
  expect(timeoutOf(held)).toBe(75_000);
});
