import type { JobError } from "@/inngest/engine/job-error";

export interface FinishedStep {
  id: string;
  /** As it is memoised: {"data": …} or {"error": …}. */
  value: string;
}

export interface PlannedStep {
  id: string;
  /** Milliseconds to sleep, or null for a step to run. */
  waitMs: number | null;
}

/** What one call of a function came to. */
export interface Answer {
  finished: FinishedStep[];
  planned: PlannedStep[];
  next:
    | { do: "continue" }
    | { do: "complete"; output: string }
    | { do: "fail"; error: JobError }
    | { do: "retry"; error: JobError; retryAfter: string | null };
}
