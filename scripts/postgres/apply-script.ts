import { setTimeout } from "node:timers/promises";

import { type Client, type ClientBase, DatabaseError, type Pool } from "pg";

import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE } from "@/lib/database/error-codes";
import { Fault } from "@/scripts/service/fault";

/** Whoever applies migrations with Prisma's engine has this lock. */
const ENGINE_LOCK = 72_707_369;

/** An arbitrary constant. A transaction that applies a script has it, to its end even if its process was killed. */
const SCRIPT_LOCK = 7_305_014;

const RETRYABLE: ReadonlySet<string> = new Set([LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED]);

/**
 * While a statement waits for the lock of a table, all others on that table wait behind it. So it waits `lockTimeout`
 * milliseconds, and is tried again after `pause`, `attempts` times in all.
 */
const WAITING = { lockTimeout: 2_000, pause: 3_000, attempts: 100 };

/** How long a preparation waits for another one, in milliseconds. */
const LONGEST_WAIT_MS = 8 * 60_000;
const LOOK_AGAIN_MS = 500;

const MARK_APPLIED = `UPDATE _prisma_migrations SET finished_at = now()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

const MARK_ROLLED_BACK = `UPDATE _prisma_migrations SET rolled_back_at = now()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * Runs the script of a migration: all of it with the record that it is applied, or nothing. What is done with
 * CONCURRENTLY can be in no transaction; such a script must be one that can be repeated. Gives way to other
 * transactions: it waits for a lock shortly, and tries again for about eight minutes.
 */
export async function applyScript(pool: Pool, script: string, waiting = WAITING): Promise<void> {
  if (/\bCONCURRENTLY\b/i.test(script)) return applyOneByOne(pool, script);
  await givingWay(pool, (lockTimeout) => applyAtOnce(pool, script, lockTimeout), waiting);
}

/**
 * Runs a transaction that sets its `lock_timeout` to the milliseconds it is given, again whenever another one has a
 * lock that it needs. Throws Fault after the last attempt. `database` is not in a transaction then.
 */
export async function givingWay(
  database: Pool | Client,
  run: (lockTimeout: number) => Promise<void>,
  waiting = WAITING,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(waiting.lockTimeout);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt >= waiting.attempts) throw neverFree(error, await findLocked(database, waiting.lockTimeout));
      await setTimeout(waiting.pause);
    }
  }
}

function isRetryable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && RETRYABLE.has(error.code ?? "");
}

/**
 * Whose transactions have locked which tables for as long as an attempt waits. PostgreSQL says how long only to who may
 * see that of others (pg_monitor).
 */
const LOCKED = `
  SELECT string_agg(format('process %s (%s)', pid, tables), ', ') AS locked FROM (
    SELECT l.pid, string_agg(DISTINCT l.relation::regclass::text, ', ') AS tables
    FROM pg_locks l JOIN pg_class c ON c.oid = l.relation LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND c.relkind IN ('r', 'p') AND c.relnamespace <> 'pg_catalog'::regnamespace
      AND coalesce(a.xact_start < now() - $1 * interval '1 millisecond', true)
    GROUP BY l.pid
  ) AS by_process`;

async function findLocked(database: Pool | Client, lockTimeout: number): Promise<string | undefined> {
  const { rows } = await (database as Client).query<{ locked: string | null }>(LOCKED, [lockTimeout]);
  return rows[0]?.locked ?? undefined;
}

function neverFree({ message }: DatabaseError, locked = "nobody any more"): Fault {
  return new Fault(
    "The database is not prepared: other transactions always had a lock on a table that has to be changed " +
      `(${message}). Who has one just now, by PostgreSQL's processes: ${locked}. Run this again when they are done; ` +
      "a pg_dump is such a transaction. Or end one with SELECT pg_terminate_backend(…) as the owner: what it has in " +
      "hand is rolled back.",
  );
}

async function applyOneByOne(pool: Pool, script: string): Promise<void> {
  for (const statement of splitStatements(script)) await pool.query(statement);
}

/** The statements of a script without bodies of functions, without comments. */
export function splitStatements(script: string): string[] {
  const statements = script.replaceAll(/--.*$/gm, "").split(";");
  return statements.map((statement) => statement.replaceAll(/\s+/g, " ").trim()).filter(Boolean);
}

async function applyAtOnce(pool: Pool, script: string, lockTimeout: number): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [SCRIPT_LOCK]);
    await client.query(`SET LOCAL lock_timeout = ${lockTimeout}`);
    await client.query(script);
    if (await hasMigrationRecords(client)) await client.query(MARK_APPLIED);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** Whether a database has records of migrations. A new one has none, nor has one for comparing schemas. */
export async function hasMigrationRecords(client: Pick<ClientBase, "query">): Promise<boolean> {
  const { rows } = await client.query<{ table: unknown }>(`SELECT to_regclass('_prisma_migrations') AS "table"`);
  return rows[0]?.table !== null;
}

const TAKE_LOCKS = `
  SELECT pg_try_advisory_xact_lock(${ENGINE_LOCK}) AND pg_try_advisory_xact_lock(${SCRIPT_LOCK}) AS taken`;

/** Who has one of them: the processes of PostgreSQL. */
const HOLDERS = `
  SELECT string_agg(DISTINCT pid::text, ', ') AS pids FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid IN (${ENGINE_LOCK}, ${SCRIPT_LOCK})
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Marks migrations that failed or were interrupted as rolled back, so that they are applied again: nothing of them is
 * left. Waits for whoever applies migrations just now, be it a transaction whose process was killed. Looks for the
 * locks again and again: a statement that waited for them would hold up the making of an index beside traffic. Throws
 * Fault after eight minutes.
 */
export async function forgetInterrupted(owner: Client): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await markIfAlone(owner))) {
    if (performance.now() > deadline) throw stillApplied((await owner.query<{ pids: string }>(HOLDERS)).rows[0]?.pids);
    await setTimeout(LOOK_AGAIN_MS);
  }
}

async function markIfAlone(owner: Client): Promise<boolean> {
  await owner.query("BEGIN");
  const { rows } = await owner.query<{ taken: boolean }>(TAKE_LOCKS);
  const isAlone = rows[0]?.taken === true;
  if (isAlone) await owner.query(MARK_ROLLED_BACK);
  await owner.query("COMMIT");
  return isAlone;
}

function stillApplied(pids = "unknown"): Fault {
  return new Fault(
    `Another preparation still applies migrations to this database (PostgreSQL's processes ${pids}). Try again when ` +
      "it has ended. If it was killed, end these with SELECT pg_terminate_backend(…) as the owner: what they have in " +
      "hand is rolled back.",
  );
}
