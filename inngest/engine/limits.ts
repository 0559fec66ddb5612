import type { HeldJob } from "@/inngest/engine/held-jobs";
import type { FinishedStep } from "@/inngest/engine/answer";
import type { JobError } from "@/inngest/engine/job-error";

// The limits of a real Inngest server, so that a function which runs here runs there.
export const MAX_EVENT_BYTES = 512 * 1024;
const MAX_STEP_BYTES = 4 * 1024 * 1024;
const MAX_RUN_BYTES = 32 * 1024 * 1024;
const MAX_STEPS = 1000;

/** What would break a limit if `finished` were stored, or undefined. */
export function limitBroken(job: HeldJob, finished: readonly FinishedStep[]): JobError | undefined {
  const largest = Math.max(0, ...finished.map((step) => Buffer.byteLength(step.value)));
  if (largest > MAX_STEP_BYTES)
    return tooMuch(`A step returned ${largest} bytes; the most is ${MAX_STEP_BYTES}. Return ids and counters, not records.`);
  const bytes = job.bytes + finished.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0);
  if (bytes > MAX_RUN_BYTES) return tooMuch(`The steps of the run returned ${bytes} bytes together; the most is ${MAX_RUN_BYTES}.`);
  if (job.steps + finished.length > MAX_STEPS)
    return tooMuch(`The run has more than ${MAX_STEPS} steps. Let a step do more, or hand on to another run.`);
  return undefined;
}

function tooMuch(message: string): JobError {
  return { name: "LimitExceeded", message };
}
