import type * as PromClient from "prom-client";

import { pool } from "@/lib/database/db";
import { usesInngestServer } from "@/lib/env";
import { type Backlog, readBacklogInTime } from "@/lib/observability/backlog";
import { type Metrics, registerMetrics } from "@/lib/observability/instruments";

type Library = typeof PromClient;

/** The buckets, in seconds. Lists answer within milliseconds; a batch or an export takes seconds. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A slice of an import takes five seconds. */
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** An attempt ends after fifteen seconds. */
const ATTEMPT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Node measures the delay of its event loop this often, in milliseconds. Each measurement wakes the process. */
const LOOP_INTERVAL_MS = 50;

/**
 * Makes this process count. The library is loaded here alone, so that a process that counts nothing keeps none of it in
 * memory.
 */
export async function openMetrics(): Promise<Metrics> {
  const library = await import("prom-client");
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_INTERVAL_MS });
  const opened = { registry, ...countersOf(library, registry) };
  measureOnScrape(library, registry);
  registerMetrics(opened);
  return opened;
}

function countersOf({ Counter, Gauge, Histogram }: Library, registry: PromClient.Registry): Omit<Metrics, "registry"> {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: "crm_http_request_duration_seconds",
      help: "Time from a request's head to the end of its answer, or of its connection (status 499).",
      labelNames: ["method", "route", "status"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    requestsInFlight: new Gauge({ name: "crm_http_requests_in_flight", help: "Requests in flight.", registers }),
    jobCalls: new Histogram({
      name: "crm_job_call_duration_seconds",
      help: "Time of one call of a job, which runs one step or several.",
      labelNames: ["function", "outcome"],
      buckets: JOB_BUCKETS,
      registers,
    }),
    jobsRunning: new Gauge({ name: "crm_worker_calls", help: "Calls of jobs that this worker runs.", registers }),
    concurrency: new Gauge({ name: "crm_worker_concurrency", help: "The most calls of jobs at once.", registers }),
    importedRecords: new Counter({
      name: "crm_import_records_total",
      help: "Records of imports, by what became of them.",
      labelNames: ["object", "outcome"],
      registers,
    }),
    deliveryAttempts: new Histogram({
      name: "crm_webhook_attempt_duration_seconds",
      help: "Time of one attempt of a webhook delivery.",
      labelNames: ["outcome"],
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
  };
}

type Measured = [name: string, help: string, read: () => number | Promise<number>];

/** Values that are read when somebody asks for them: those of the pool, and the backlog in the database. */
const MEASURED: Measured[] = [
  ["crm_database_pool_connections", "Connections to PostgreSQL in the pool.", () => pool().totalCount],
  ["crm_database_pool_idle", "Connections of the pool that nobody uses.", () => pool().idleCount],
  ["crm_database_pool_waiting", "Callers that wait for a connection.", () => pool().waitingCount],
  ["crm_job_requests_waiting", "Requests that the Inngest server has not taken.", backlogOf("requests_waiting")],
  ["crm_job_requests_oldest_seconds", "How long the oldest of them waits.", backlogOf("oldest_request_seconds")],
  ["crm_webhook_deliveries_due", "Webhook deliveries that are due.", backlogOf("deliveries_due")],
  ["crm_webhook_oldest_due_seconds", "How long the oldest delivery is due.", backlogOf("oldest_delivery_seconds")],
];

/** With an Inngest server there are none of these, so that no alert on them fires. */
const OF_EMBEDDED_ENGINE: Measured[] = [
  ["crm_jobs_waiting", "Jobs of the embedded engine that are due.", backlogOf("jobs_waiting")],
  ["crm_jobs_running", "Jobs of the embedded engine that workers hold.", backlogOf("jobs_running")],
  [
    "crm_jobs_oldest_due_seconds",
    "How long the oldest job has been due, of those that wait for no other of their queue.",
    backlogOf("oldest_job_seconds"),
  ],
  ["crm_job_workers", "Live workers of the embedded engine.", backlogOf("workers")],
];

/** The scrape waits for all gauges, and must tell of a pool that is exhausted: without an answer in time, NaN. */
function backlogOf(field: keyof Backlog): () => Promise<number> {
  return async () => (await readBacklogInTime())?.[field] ?? Number.NaN;
}

function measureOnScrape({ Gauge }: Library, registry: PromClient.Registry): void {
  for (const [name, help, read] of usesInngestServer ? MEASURED : [...MEASURED, ...OF_EMBEDDED_ENGINE]) {
    const collect = async (gauge: PromClient.Gauge) => gauge.set(await valueOf(read));
    const gauge: PromClient.Gauge = new Gauge({ name, help, registers: [registry], collect: () => collect(gauge) });
  }
}

/** A process whose database does not answer still tells the rest. */
async function valueOf(read: () => number | Promise<number>): Promise<number> {
  try {
    return await read();
  } catch {
    return Number.NaN;
  }
}
