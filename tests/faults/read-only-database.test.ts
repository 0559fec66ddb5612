import { escapeIdentifier } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { GET as ready } from "@/app/api/health/ready/route";
import { retriedPool } from "@/inngest/engine/tasks";
import { closeDatabase, pool, readPipelined, transaction } from "@/lib/database/db";
import { READ_ONLY } from "@/lib/database/error-codes";
import { log } from "@/lib/log";
import { type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";
import { pool as owner } from "@/tests/support/owner";

let keyed: Keyed;
const error = vi.spyOn(log, "error");

beforeEach(async () => {
  keyed = await keyedRequests();
  error.mockClear();
});

afterEach(closeDatabase);

/**
 * Connections that are opened from now on, until `end`, are to a server that takes no changes, as one that has become a
 * standby. They stay so after it, when others lead to the server that takes them.
 */
async function failOver(): Promise<{ end: () => Promise<void> }> {
  await closeDatabase();
  const client = await owner().connect();
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  const alter = `ALTER DATABASE ${escapeIdentifier(rows[0]?.name ?? "")}`;
  await client.query(`${alter} SET default_transaction_read_only = on`);
  return {
    end: async () => {
      await client.query(`${alter} RESET default_transaction_read_only`);
      client.release();
    },
  };
}

async function askReady(): Promise<[number, unknown]> {
  const answer = await ready();
  return [answer.status, await answer.json()];
}

const BACKEND = { name: "backend", text: "SELECT pg_backend_pid()", rowMode: "array" as const };

const backendOfPool = async () => (await pool().query<[number]>(BACKEND)).rows[0]?.[0];

const backendOfPipeline = async () => (await readPipelined<[number]>(BACKEND)).rows[0]?.[0];

const CHANGE = "DELETE FROM job_requests";

test("a change that a read-only database refuses is a 503 and no defect, and its repeat is carried out", async () => {
  const former = await failOver();
  const { status, headers, body } = await keyed.createWith("key-1");
  expect([status, headers.get("retry-after"), body.detail]).toEqual([
    503,
    "5",
    expect.stringContaining("takes no changes at the moment"),
  ]);
  expect(error).not.toHaveBeenCalled();
  await former.end();
  await expect.poll(async () => (await keyed.createWith("key-1")).status).toBe(201);
  expect(await keyed.rowsOf("accounts")).toHaveLength(1);
});

test("a process is not ready at a database that takes no changes, and is again at another one", async () => {
  expect(await askReady()).toMatchObject([200, { reasons: [] }]);
  const former = await failOver();
  expect(await askReady()).toMatchObject([503, { reasons: ["read_only"], database: { answers: true } }]);
  await former.end();
  // Each look gives one connection up.
  await expect.poll(askReady).toMatchObject([200, { reasons: [] }]);
});

test("short reads that lead to the former server longer than all else are seen and end", async () => {
  const former = await failOver();
  const ofPipeline = await backendOfPipeline();
  await former.end();
  await pool().query(CHANGE);
  expect(await askReady()).toMatchObject([503, { reasons: ["read_only"], database: { answers: true } }]);
  expect(await backendOfPipeline()).not.toBe(ofPipeline);
  expect(await askReady()).toMatchObject([200, { reasons: [] }]);
});

test("connections to a server that refused a change are given up, those of short reads too", async () => {
  const former = await failOver();
  const [ofPool, ofPipeline] = [await backendOfPool(), await backendOfPipeline()];
  expect([await backendOfPool(), await backendOfPipeline()]).toEqual([ofPool, ofPipeline]);
  await expect(transaction((client) => client.query(CHANGE))).rejects.toMatchObject({ code: READ_ONLY });
  await former.end();
  expect(await backendOfPool()).not.toBe(ofPool);
  expect(await backendOfPipeline()).not.toBe(ofPipeline);
});

test("what graphile-worker changes is tried again, so that the worker goes on", async () => {
  const former = await failOver();
  const client = await retriedPool(pool()).connect();
  await expect(client.query(CHANGE)).rejects.toMatchObject({ code: "57P03" });
  client.release();
  await former.end();
});
