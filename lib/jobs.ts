import type { PoolClient } from "pg";

import { afterCommit } from "@/lib/database/db";

/**
 * The jobs that capabilities can request, by event name. The functions in `inngest/` run them and import the
 * capabilities; this seam lets a capability request a job without importing those functions.
 */
export interface JobEvents {
  "migration/analyze.requested": { organization_id: string; migration_id: string };
  /** `resumed_at`: since when the run goes on in this job, as an ISO time; absent from its first job. */
  "migration/run.requested": { organization_id: string; migration_id: string; run_number: number; resumed_at?: string };
  "migration/search.requested": { organization_id: string; migration_id: string };
  "migration/undo.requested": {
    organization_id: string;
    migration_id: string;
    undo_number: number;
    resumed_at?: string;
  };
  "migration/prove.requested": { organization_id: string; migration_id: string };
  "organization/erase.requested": { organization_id: string };
  "webhooks/drain.requested": { organization_id: string; webhook_id: string };
  /** `at`: an ISO time. */
  "webhooks/retry.scheduled": { organization_id: string; webhook_id: string; at: string };
}

/**
 * The name of the error with which a job ends when every process that ran it died. The job's onFailure handler
 * recognizes it.
 */
export const WORKER_DIED = "WorkerDied";

type JobName = keyof JobEvents;

/** An event that asks for a job. Events with the same `id` are delivered once. */
export type JobRequest = { [Name in JobName]: { name: Name; data: JobEvents[Name]; id: string } }[JobName];

/** Sends an event to the job engine. */
export type JobSender = <Name extends JobName>(name: Name, data: JobEvents[Name], id: string) => Promise<void>;

/** Stores requests in the transaction of `client`, so that the engine gets them if it commits, sooner or later. */
export type JobStore = (client: PoolClient, requests: readonly JobRequest[]) => Promise<void>;

// Next evaluates modules once per bundle, but the engine is registered once per process (by instrumentation.ts, the
// worker, or a test).
const holder = globalThis as typeof globalThis & {
  crmJobSender?: JobSender | undefined;
  crmJobStore?: JobStore | undefined;
};

/**
 * Registers what sends the jobs of this process, undefined for nothing, and what stores requests. Without the latter
 * they are sent after the commit.
 */
export function registerJobSender(sender: JobSender | undefined, store?: JobStore): void {
  holder.crmJobSender = sender;
  holder.crmJobStore = store;
}

/**
 * Sends a request at once and stores nothing: for what is stored already, such as deliveries. Throws when the engine
 * does not take it, or when the process has registered none.
 */
export const requestJob: JobSender = (name, data, id) => {
  if (!holder.crmJobSender) throw new Error("No job engine is registered in this process.");
  return holder.crmJobSender(name, data, id);
};

/**
 * Requests jobs in the transaction that makes the change which needs them: they start after its commit, and as soon as
 * the engine can be reached (`docs/decisions/0060-job-requests-wait.md`).
 */
export async function requestJobs(client: PoolClient, requests: readonly JobRequest[]): Promise<void> {
  if (requests.length === 0) return;
  if (holder.crmJobStore) return holder.crmJobStore(client, requests);
  afterCommit(client, async () => {
    for (const { name, data, id } of requests) await requestJob(name, data, id);
  });
}
