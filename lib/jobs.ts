/**
 * The jobs that capabilities can request, by event name. The functions in `inngest/` run them and import the
 * capabilities; this seam lets a capability request a job without importing those functions.
 */
export interface JobEvents {
  "migration/analyze.requested": { organization_id: string; migration_id: string };
  "migration/run.requested": { organization_id: string; migration_id: string; run_number: number };
  "migration/search.requested": { organization_id: string; migration_id: string };
  "migration/undo.requested": { organization_id: string; migration_id: string; undo_number: number };
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

/** Sends an event to the job engine. Events with the same `id` are delivered once. */
export type JobSender = <Name extends JobName>(name: Name, data: JobEvents[Name], id: string) => Promise<void>;

// Next evaluates modules once per bundle, but the sender is registered once per process (by instrumentation.ts, the
// worker, or a test).
const holder = globalThis as typeof globalThis & { crmJobSender?: JobSender | undefined };

/** Registers what sends the jobs of this process; undefined for nothing. */
export function registerJobSender(sender: JobSender | undefined): void {
  holder.crmJobSender = sender;
}

/** Requests a job. Throws when the process has registered no engine. */
export const requestJob: JobSender = (name, data, id) => {
  if (!holder.crmJobSender) throw new Error("No job engine is registered in this process.");
  return holder.crmJobSender(name, data, id);
};
