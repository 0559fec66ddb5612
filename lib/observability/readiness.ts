import { pool, readPipelined, renewPipelined } from "@/lib/database/db";
import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";
import { usesInngestServer } from "@/lib/env";
import { type Backlog, COUNT_TIMEOUT_MS, readBacklogInTime } from "@/lib/observability/backlog";
import { inTime } from "@/lib/semaphore";
import { isStopping } from "@/lib/shutdown";

/** Why a process should get no requests. Only the first may be mended by a new process. */
type Reason = "database" | "read_only" | "migrations" | "stopping";

/** What `/api/health/ready` answers. It holds no secret and nothing of an organization. */
export interface Readiness {
  status: "ready" | "not ready";
  reasons: Reason[];
  /** Whether PostgreSQL answers over the pool that requests use. */
  database: { answers: boolean };
  /** Migrations of this release that the database lacks; null while that is unknown. */
  migrations: { missing: string[] | null };
  /** Who runs jobs: workers, counted by the locks that they hold, or an Inngest server. Reported, no reason. */
  engine: { kind: "embedded"; workers: number | null } | { kind: "inngest" };
  backlog: Omit<Backlog, "workers"> | null;
}

/** Longer than a request waits for a connection, even on a busy machine. */
const ANSWER_TIMEOUT_MS = 10_000;

// Next evaluates modules once per bundle, but a process has one check at a time.
const holder = globalThis as typeof globalThis & {
  crmReadiness?: Promise<Readiness> | undefined;
  crmIsMigrated?: boolean;
};

/**
 * Whether this process can serve requests, and what it would say about its surroundings. Never rejects. Concurrent
 * calls share one check, because anybody may call the health check.
 */
export function checkReadiness(): Promise<Readiness> {
  holder.crmReadiness ??= check().finally(() => (holder.crmReadiness = undefined));
  return holder.crmReadiness;
}

async function check(): Promise<Readiness> {
  const says = await askDatabase();
  const answers = says !== "nothing";
  const [missing, read] = answers ? await Promise.all([findMissing(), readBacklogInTime()]) : [null, null];
  const { workers, ...backlog } = read ?? { workers: null };
  const reasons = reasonsOf(says, missing);
  return {
    status: reasons.length === 0 ? "ready" : "not ready",
    reasons,
    database: { answers },
    migrations: { missing },
    engine: usesInngestServer ? { kind: "inngest" } : { kind: "embedded", workers },
    backlog: "jobs_waiting" in backlog ? backlog : null,
  };
}

/** What the database says of itself: nothing, if it does not answer. */
type Said = "writable" | "read_only" | "nothing";

function reasonsOf(says: Said, missing: string[] | null): Reason[] {
  const reasons: Reason[] = isStopping() ? ["stopping"] : [];
  if (says === "nothing") return [...reasons, "database"];
  if (says === "read_only") reasons.push(says);
  return missing?.length === 0 ? reasons : [...reasons, "migrations"];
}

function askDatabase(): Promise<Said> {
  return inTime<Said>(ANSWER_TIMEOUT_MS, readWritability(), "nothing");
}

const IS_READ_ONLY = { name: "is read-only", text: "SHOW transaction_read_only", rowMode: "array" as const };

/** A standby is read-only, too. After a failover, the pool and the short reads may lead to different servers. */
async function readWritability(): Promise<Said> {
  const areReadOnly = await Promise.all([isPoolReadOnly(), areShortReadsReadOnly()]);
  return areReadOnly.includes(true) ? "read_only" : "writable";
}

async function isPoolReadOnly(): Promise<boolean> {
  const client = await pool().connect();
  let isReadOnly = false;
  try {
    isReadOnly = (await client.query<[string]>(IS_READ_ONLY)).rows[0]?.[0] === "on";
    return isReadOnly;
  } finally {
    // Ends the connection, so that the next one may lead to the server that takes changes.
    client.release(isReadOnly);
  }
}

async function areShortReadsReadOnly(): Promise<boolean> {
  const { rows } = await readPipelined<[string]>(IS_READ_ONLY);
  if (rows[0]?.[0] !== "on") return false;
  renewPipelined();
  return true;
}

const APPLIED = `SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/**
 * The migrations of this release that the database lacks; null while that is unknown.
 *
 * Read each time, though what is applied stays applied: reading fails once this process's user has lost its privileges,
 * and on a database that no release with this check has prepared yet. Null then. A late answer is no reason to be late.
 */
export function findMissing(): Promise<string[] | null> {
  const read = pool()
    .query<{ name: string }>(APPLIED)
    .then(({ rows }) => {
      const applied = new Set(rows.map(({ name }) => name));
      const missing = RELEASE_MIGRATIONS.filter((name) => !applied.has(name));
      holder.crmIsMigrated = missing.length === 0;
      return missing;
    })
    .catch(() => null);
  return inTime<string[] | null>(COUNT_TIMEOUT_MS, read, holder.crmIsMigrated ? [] : null);
}
