/**
 * The jobs that capabilities may ask for, by event name. They are carried out by the functions in `inngest/`, which
 * import the capabilities; this seam lets a capability ask without importing them.
 */
export interface JobEvents {
  "migration/analyze.requested": { organization_id: string; migration_id: string };
  "migration/run.requested": { organization_id: string; migration_id: string; run_number: number };
  "webhooks/drain.requested": { organization_id: string; webhook_id: string };
  /** `at`: an ISO time. */
  "webhooks/retry.scheduled": { organization_id: string; webhook_id: string; at: string };
}

/**
 * The name of the error with which a job ends over which the processes died that carried it out; so its onFailure
 * handler knows it.
 */
export const WORKER_DIED = "WorkerDied";

type JobName = keyof JobEvents;

/** Sends an event to the job engine. Events with the same `id` are delivered once. */
export type JobSender = <Name extends JobName>(name: Name, data: JobEvents[Name], id: string) => Promise<void>;

// Next evaluates modules once per bundle; the sender is registered once per process (instrumentation.ts, the worker,
// tests).
const holder = globalThis as typeof globalThis & { crmJobSender?: JobSender | undefined };

/** Registers what sends the jobs of this process; undefined when nothing does. */
export function registerJobSender(sender: JobSender | undefined): void {
  holder.crmJobSender = sender;
}

/** Asks for a job. Throws when the process has registered no engine. */
export const requestJob: JobSender = (name, data, id) => {
  if (!holder.crmJobSender) throw new Error("No job engine is registered in this process.");
  return holder.crmJobSender(name, data, id);
};
