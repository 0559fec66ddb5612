import type { QueryConfig } from "pg";

import { pool } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { usesInngestServer } from "@/lib/env";
import { inTime } from "@/lib/semaphore";

/** The name of the lock that every live worker shares (inngest/engine/queue/worker-lock.ts). */
export const LIVE_WORKERS = "crm-job-worker";

/** Work that waits in the database, over all organizations and processes. */
export interface Backlog {
  /** Due jobs of the embedded engine, those that wait for their turn included; {@link MAX_COUNTED} at most. */
  jobs_waiting: number;
  jobs_running: number;
  /** How long the oldest due job waits, of those that wait for no other job of their queue. */
  oldest_job_seconds: number;
  /** Live workers of the embedded engine. */
  workers: number;
  /** Requests for jobs that the Inngest server has not taken yet; {@link MAX_COUNTED} at most. */
  requests_waiting: number;
  oldest_request_seconds: number;
  /** {@link MAX_COUNTED} at most. */
  deliveries_due: number;
  oldest_delivery_seconds: number;
}

/** Counting more would cost the database more than the number is worth. */
const MAX_COUNTED = 100_000;

/** The first in the order in which workers take them, which an index has: by priority, then the oldest. */
const JOBS = `
  WITH due AS MATERIALIZED (
    SELECT j.run_at, coalesce(q.is_available, true) AS is_takeable
    FROM graphile_worker._private_jobs j LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
    WHERE j.is_available AND j.run_at <= now() ORDER BY j.priority, j.run_at LIMIT ${MAX_COUNTED}
  )
  SELECT count(*)::int AS jobs_waiting,
    coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_takeable)), 0)::float AS oldest_job_seconds,
    (SELECT count(*)::int FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL) AS jobs_running,
    (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)) AS workers
  FROM due`;

/** An Inngest server has a queue of its own, and nobody takes what the embedded engine has left in the database. */
const NO_JOBS = { jobs_waiting: 0, jobs_running: 0, oldest_job_seconds: 0, workers: 0 };

/** A request that was taken at once is gone, or has no attempt yet. */
const REQUESTS = `
  SELECT count(*)::int AS requests_waiting,
    coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS oldest_request_seconds
  FROM (SELECT created_at FROM job_requests WHERE attempts > 0 LIMIT ${MAX_COUNTED}) AS waiting`;

/** SQL: of each active webhook, so many due deliveries, the oldest first. Their index begins with the webhook. */
const dueDeliveries = (each: number) => `
  SELECT d.next_attempt_at FROM webhooks w CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM webhook_deliveries
    WHERE organization_id = w.organization_id AND webhook_id = w.id AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT ${each}
  ) d WHERE w.active`;

/**
 * The oldest is looked for among all webhooks: the count ends before it has seen those behind a long queue. What is in
 * flight is leased, and so due later.
 */
export const DELIVERIES = `
  SELECT (SELECT count(*)::int FROM (${dueDeliveries(MAX_COUNTED)} LIMIT ${MAX_COUNTED}) AS due) AS deliveries_due,
    coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float AS oldest_delivery_seconds
  FROM (${dueDeliveries(1)}) AS oldest`;

/** Anybody may ask for the readiness, which shows the backlog. */
const KEPT_MS = 5_000;

/** A reading that has not ended by then is given up, as PostgreSQL does with a statement. */
const LONGEST_MS = 60_000;

/** More than the minute that may lie between two scrapes. */
const LAST_KEPT_MS = 90_000;

interface Reading {
  until: number;
  read: Promise<Backlog>;
  /** What was read last, by this or an earlier reading, and when. */
  last: { backlog: Backlog; at: number } | undefined;
}

// Next evaluates modules once per bundle, but a process reads once.
const holder = globalThis as typeof globalThis & { crmBacklog?: Reading | undefined };

/**
 * Reads the backlog, again five seconds after the last reading has ended: however slow the database is, only one
 * reading burdens it. Concurrent callers share what is read.
 */
export function readBacklog(): Promise<Backlog> {
  const { crmBacklog: earlier } = holder;
  if (earlier && performance.now() < earlier.until) return earlier.read;
  const reading: Reading = { until: performance.now() + LONGEST_MS, read: query(), last: earlier?.last };
  const end = () => {
    reading.until = performance.now() + KEPT_MS;
  };
  const keep = (backlog: Backlog) => {
    reading.last = { backlog, at: performance.now() };
    end();
  };
  reading.read.then(keep, end);
  holder.crmBacklog = reading;
  return reading.read;
}

/** Whoever asks has more to tell. */
export const COUNT_TIMEOUT_MS = 2_000;

/**
 * {@link readBacklog}; where that fails, or takes more than two seconds, what was read last: where each reading is
 * slow, each scrape would otherwise tell nothing. Null if that is older than a minute and a half.
 */
export async function readBacklogInTime(): Promise<Backlog | null> {
  const read = readBacklog();
  const last = holder.crmBacklog?.last;
  const isRecent = last && performance.now() - last.at < LAST_KEPT_MS;
  return inTime<Backlog | null>(COUNT_TIMEOUT_MS, read, isRecent ? last.backlog : null);
}

async function query(): Promise<Backlog> {
  const jobs = usesInngestServer ? NO_JOBS : await count({ name: "backlog-jobs", text: JOBS, values: [LIVE_WORKERS] });
  const requests = await count({ name: "backlog-requests", text: REQUESTS });
  const deliveries = await acrossOrganizations(() => count({ name: "backlog-deliveries", text: DELIVERIES }));
  return { ...jobs, ...requests, ...deliveries };
}

async function count(statement: QueryConfig): Promise<Backlog> {
  const [counts] = (await pool().query<Backlog>(statement)).rows;
  if (!counts) throw new Error("PostgreSQL returned no counts.");
  return counts;
}
