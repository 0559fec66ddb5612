import type { Socket } from "node:net";

import { type Connection, Client } from "pg";
import { afterEach, expect, test } from "vitest";

import { APPLICATION_NAME } from "@/lib/database/db";
import { requireSetting } from "@/lib/env";
import { endStalledTransactions } from "@/lib/database/stalled-transactions";
import { pool } from "@/tests/support/owner";

interface Internals {
  connection: Connection & { stream: Socket };
}

const open: (Client & Internals)[] = [];

afterEach(() => {
  for (const { connection } of open.splice(0)) connection.stream.destroy();
});

/** A connection within a transaction that has written. */
async function begin(application_name: string): Promise<Client & Internals> {
  const settings = { connectionString: requireSetting("DATABASE_URL"), application_name };
  const client = new Client(settings) as Client & Internals;
  client.on("error", () => undefined);
  await client.connect();
  open.push(client);
  await client.query("BEGIN");
  await client.query("SELECT pg_current_xact_id()");
  return client;
}

async function pidOf(client: Client): Promise<number> {
  return (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;
}

async function stateOf(pid: number): Promise<string> {
  const text = "SELECT state || ' ' || coalesce(wait_event, '') AS state FROM pg_stat_activity WHERE pid = $1";
  return (await pool().query<{ state: string }>(text, [pid])).rows[0]?.state ?? "ended";
}

/** Sends a statement, and of its parameters only the beginning. */
function stopSending({ connection }: Internals): void {
  connection.parse({ name: "", text: "SELECT $1::text", types: [] }, true);
  const bind = Buffer.alloc(100);
  bind.write("B");
  bind.writeInt32BE(1_000_000, 1);
  connection.stream.write(bind);
}

/** Sends a statement and does not read its answer. */
function stopReading({ connection }: Internals): void {
  connection.stream.pause();
  connection.query("SELECT repeat('x', 100000000)");
}

test.each([
  { stops: stopSending, waits: "active ClientRead" },
  { stops: stopReading, waits: "active ClientWrite" },
])("a transaction whose process stopped ($waits) is ended, after its time", async ({ stops, waits }) => {
  const client = await begin(APPLICATION_NAME);
  const pid = await pidOf(client);
  stops(client);
  await expect.poll(() => stateOf(pid)).toBe(waits);
  for (const stalledMs of [undefined, undefined, 0]) {
    expect(await endStalledTransactions(stalledMs)).toBe(0);
    expect(await stateOf(pid)).toBe(waits);
  }
  expect(await endStalledTransactions(0)).toBe(1);
  await expect.poll(() => stateOf(pid)).toBe("ended");
});

test("transactions between two statements, statements that run, and other programs are left alone", async () => {
  const [idle, busy, foreign] = [await begin(APPLICATION_NAME), await begin(APPLICATION_NAME), await begin("psql")];
  const pids = [await pidOf(idle), await pidOf(busy), await pidOf(foreign)];
  const slept = busy.query("SELECT pg_sleep(600)").catch(() => undefined);
  stopSending(foreign);
  const states = () => Promise.all(pids.map(stateOf));
  const before = ["idle in transaction ClientRead", "active PgSleep", "active ClientRead"];
  await expect.poll(states).toEqual(before);
  for (let look = 0; look < 2; look += 1) expect(await endStalledTransactions(0)).toBe(0);
  expect(await states()).toEqual(before);
  await pool().query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [pids]);
  await slept;
});
