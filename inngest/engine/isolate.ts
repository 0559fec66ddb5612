import { addJob, type RunRequest, type Queryable, finishJob } from "@/inngest/engine/queue/jobs";
import { failRun, type Run } from "@/inngest/engine/run";
import { pool, transaction } from "@/lib/database/db";
import { WORKER_DIED } from "@/lib/jobs";
import { log } from "@/lib/log";

/** A job that a worker has taken from the queue. */
export interface TakenJob {
  id: string;
  holder: string;
  /** How often it was taken up, this time included. */
  takes: number;
}

/**
 * Has a job carried out by a process of its own, which gives it back with its next step once `givingWay` is aborted.
 * `died`: that process ended in the midst of it. Throws when it could not even begin.
 */
export type ForkJob = (job: TakenJob, request: RunRequest, givingWay: AbortSignal) => Promise<"ended" | "died">;

/** Processes that died over a run which did not get on in between. */
const MAX_DEATHS = 2;

/**
 * Processes of their own at the same time. Each takes a core for a second to start, and may take as much memory as the
 * worker: where the machine has too little, it ends one of them, which would be taken for that job's fault.
 */
const MAX_ISOLATED = 4;

/** Whatever waits takes no worker's hand meanwhile. */
const RETRY_MS = 500;

/** Has the run of a job give way. In the order in which they began. */
const isolated = new Map<string, AbortController>();

/**
 * Carries out a run that was in hand when a worker died. It may be what that died of, or have been beside it: so it has
 * a process of its own, whose death ends nobody else's work and leaves no doubt. When that dies too, and the run did
 * not get on in between, the run fails.
 */
export async function runIsolated(fork: ForkJob, job: TakenJob, run: Run, request: RunRequest): Promise<void> {
  const again = (db: Queryable, delayMs: number) => addJob(db, "run-function", request, { queue: run.queue, delayMs });
  if (isolated.size >= MAX_ISOLATED) {
    // One that gets on is suspect no more; while it hangs there is nothing to do but wait for it.
    [...isolated.values()].find(({ signal }) => !signal.aborted)?.abort();
    return transaction(async (db) => {
      await finishJob(db, job);
      await again(db, RETRY_MS);
    });
  }
  const givingWay = new AbortController();
  isolated.set(job.id, givingWay);
  try {
    await markIsolated(run.id, true);
    const end = await fork(job, request, givingWay.signal).catch(async (error: unknown) => {
      await markIsolated(run.id, false);
      throw error;
    });
    if (end === "died") {
      await transaction(async (db) => {
        await finishJob(db, job);
        if (await survivesDeath(db, run)) await again(db, 0);
      });
    }
  } finally {
    isolated.delete(job.id);
  }
}

async function markIsolated(runId: string, alone: boolean): Promise<void> {
  await pool().query("update job_runs set alone = $2 where id = $1", [runId, alone]);
}

/** Counts a death against a run, which fails when that was one too many. */
async function survivesDeath(db: Queryable, { id, functionId }: Run): Promise<boolean> {
  const { rows } = await db.query<{ in_vain: number }>(
    `update job_runs set alone = false, deaths = deaths + 1, in_vain = in_vain + 1 where id = $1 and state = 'running'
      returning in_vain`,
    [id],
  );
  const inVain = rows[0]?.in_vain;
  if (inVain === undefined) return false;
  log.warn({ run_id: id, function_id: functionId, deaths: inVain }, "a process died over a job");
  if (inVain < MAX_DEATHS) return true;
  await failRun(db, id, {
    name: WORKER_DIED,
    message: `${inVain} processes that carried the job out died over it, so it is not tried again.`,
  });
  return false;
}

/**
 * Forgives a run the deaths that it may be the reason of: it got on. In the transaction that stores how far. Its
 * process goes on with it, so it is alone until it is taken up again (load-run.ts).
 */
export async function clearDeaths(db: Queryable, runId: string): Promise<void> {
  await db.query("update job_runs set in_vain = 0 where id = $1", [runId]);
}
