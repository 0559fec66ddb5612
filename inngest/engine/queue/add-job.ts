import type { Queryable } from "@/inngest/engine/queue/database";

/** Times that graphile-worker may take up one job. Only crashes use them up: a retry that Inngest's rules ask for is a new job. */
const MAX_TAKES = 25;

/** What moves runs on goes before what may take long, so that a busy worker still starts and cancels as soon as it has a hand free. */
const PRIORITY: Record<keyof Tasks, number> = { "dispatch-events": -10, "wake-run": -10, "run-function": 0 };

/** What each task is told. */
export interface Tasks {
  "dispatch-events": Record<string, never>;
  "run-function": RunRequest;
  "wake-run": { run_id: string; step: string };
}

/** One call of a function: to find what comes next (`step` is "step"), or to run the planned step of that id. */
export interface RunRequest {
  run_id: string;
  step: string;
  /** Counts from 0 at every new step. */
  attempt: number;
}

interface When {
  /** Jobs of one queue run one after another. */
  queue?: string | null;
  delayMs?: number;
}

/** Puts a job into the queue, in the caller's transaction: it appears when the state that asks for it does. */
export async function addJob<Task extends keyof Tasks>(db: Queryable, task: Task, payload: Tasks[Task], when: When = {}): Promise<void> {
  await db.query({
    name: "jobs-add",
    text: `select graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => now() + $4 * interval '1 millisecond', max_attempts => $5, priority => $6)`,
    values: [task, JSON.stringify(payload), when.queue ?? null, when.delayMs ?? 0, MAX_TAKES, PRIORITY[task]],
  });
}
