import { afterEach, expect, test } from "vitest";

import { applyScript } from "@/scripts/postgres/apply-script";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { Fault } from "@/scripts/service/fault";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

const NAME = "29991231000000_next";

function prepare(): Promise<{ applied: string[] }> {
  const { DATABASE_OWNER_URL: ownerUrl = "", DATABASE_URL: runtimeUrl } = process.env;
  return prepareDatabase(ownerUrl, { runtimeUrl, secrets: ["any"] });
}

/** What Prisma's engine records before it sends a script. */
async function recordStart(): Promise<void> {
  await pool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
     VALUES (gen_random_uuid(), 'none', $1, now(), 0)`,
    [NAME],
  );
}

async function recorded(): Promise<{ applied: boolean; rolledBack: boolean }[]> {
  const { rows } = await pool().query<{ applied: boolean; rolledBack: boolean }>(
    `SELECT finished_at IS NOT NULL AS applied, rolled_back_at IS NOT NULL AS "rolledBack" FROM _prisma_migrations
     WHERE migration_name = $1`,
    [NAME],
  );
  return rows;
}

async function isThere(table: string): Promise<boolean> {
  const { rows } = await pool().query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [table]);
  return rows[0]?.found ?? false;
}

/** The process of a connection that runs a statement with this text, once there is one. */
async function untilRuns(text: string): Promise<number> {
  const running = async () =>
    (
      await pool().query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE $1
           AND datname = current_database()`,
        [`%${text}%`],
      )
    ).rows[0]?.pid;
  await expect.poll(running).toBeDefined();
  return (await running()) ?? 0;
}

afterEach(async () => {
  await pool().query("DROP TABLE IF EXISTS next_release; ALTER TABLE accounts DROP COLUMN IF EXISTS next_release");
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [NAME]);
});

test("a migration that was interrupted leaves nothing, and the next preparation may apply it again", async () => {
  await recordStart();
  const applying = applyScript(pool(), "CREATE TABLE next_release (id uuid); SELECT pg_sleep(600)");
  const ended = applying.catch((error: Error) => error);
  await pool().query("SELECT pg_terminate_backend($1)", [await untilRuns("pg_sleep(600)")]);
  expect(await ended).toMatchObject({ message: expect.stringContaining("terminating connection") });
  expect([await isThere("next_release"), await recorded()]).toEqual([false, [{ applied: false, rolledBack: false }]]);
  expect(await prepare()).toMatchObject({ applied: [] });
  expect(await recorded()).toEqual([{ applied: false, rolledBack: true }]);
  await recordStart();
  await applyScript(pool(), "CREATE TABLE next_release (id uuid)");
  expect([await isThere("next_release"), await recorded()]).toEqual([
    true,
    [
      { applied: false, rolledBack: true },
      { applied: true, rolledBack: false },
    ],
  ]);
});

/** Until a preparation has looked for the locks, and found them taken. */
async function untilLooked(): Promise<void> {
  const text =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = '' AND query = $1";
  await expect.poll(async () => (await pool().query(text, ["COMMIT"])).rowCount).toBe(1);
}

test("a preparation waits for a migration that PostgreSQL still works on, whoever began it", async () => {
  await recordStart();
  await transaction(async (other) => {
    await other.query("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE");
    const patient = { lockTimeout: 600_000, pause: 1, attempts: 1 };
    const applying = applyScript(pool(), "CREATE TABLE next_release AS SELECT id FROM accounts", patient);
    await untilLockWaits(1);
    const preparing = prepare();
    await untilLooked();
    await other.query("COMMIT");
    await Promise.all([applying, preparing]);
  });
  expect(await recorded()).toEqual([{ applied: true, rolledBack: false }]);
});

test("a migration does not queue behind a long transaction: it gives up its place, and comes back", async () => {
  await recordStart();
  const waiting = { lockTimeout: 50, pause: 50, attempts: 1000 };
  let applying: Promise<void> | undefined;
  await transaction(async (long) => {
    await long.query("SELECT FROM accounts LIMIT 1");
    applying = applyScript(pool(), "ALTER TABLE accounts ADD COLUMN next_release text", waiting);
    await untilLockWaits(1);
    await untilLockWaits(0);
    await untilLockWaits(1);
  });
  await applying;
  expect(await recorded()).toEqual([{ applied: true, rolledBack: false }]);
});

test("a migration that never gets its lock says who has which one and what to do, and leaves nothing", async () => {
  await recordStart();
  await transaction(async (long) => {
    await long.query("SELECT FROM accounts LIMIT 1");
    const script = "CREATE TABLE next_release (id uuid); ALTER TABLE accounts ADD COLUMN next_release text";
    const applying = applyScript(pool(), script, { lockTimeout: 20, pause: 1, attempts: 3 });
    const { rows } = await long.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const told = new RegExp(`lock timeout.*: process ${rows[0]?.pid} \\(accounts\\).*pg_terminate_backend`);
    await expect(applying).rejects.toThrow(told);
    await expect(applying).rejects.toBeInstanceOf(Fault);
  });
  expect([await isThere("next_release"), await recorded()]).toEqual([false, [{ applied: false, rolledBack: false }]]);
});

test("indexes that are made beside traffic are made outside a transaction, one statement after the other", async () => {
  const script = `DROP INDEX CONCURRENTLY IF EXISTS next_release_index;
CREATE INDEX CONCURRENTLY next_release_index ON accounts (organization_id, name);
`;
  await applyScript(pool(), script);
  await applyScript(pool(), script);
  expect(await isThere("next_release_index")).toBe(true);
  await pool().query("DROP INDEX next_release_index");
});
