import type { RunRequest } from "@/inngest/engine/queue/add-job";

/** A call of a function that this process is carrying out: the fence of everything written on its behalf. */
export interface HeldJob {
  /** The queue's job, and the worker in whose name it is locked. */
  id: string;
  holder: string;
  queue: string | null;
  functionId: string;
  request: RunRequest;
  /** What the run has stored so far. */
  steps: number;
  bytes: number;
  /** Set when the worker is asked to stop: the next checkpoint gives the run to another worker. */
  stopping: AbortSignal;
  /** A process died while it carried the run out: once it gets on, that is forgiven. */
  isSuspect: boolean;
  handedOver: boolean;
}

const held = new Map<string, HeldJob>();

/** The name by which the SDK's checkpoints refer to the job (`qi_id`). */
export function heldJobKey(job: Pick<HeldJob, "id" | "holder">): string {
  return `${job.holder}/${job.id}`;
}

export function findHeldJob(key: string): HeldJob | undefined {
  return held.get(key);
}

/** Runs `work` while the job can be found by its key. */
export async function whileHolding<T>(job: HeldJob, work: () => Promise<T>): Promise<T> {
  held.set(heldJobKey(job), job);
  try {
    return await work();
  } finally {
    held.delete(heldJobKey(job));
  }
}
