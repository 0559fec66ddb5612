import { FIND_DEAD, releaseDeadWorkers } from "@/inngest/engine/queue/dead-workers";
import { WORKER_LOCK, type WorkerLock } from "@/inngest/engine/queue/worker-lock";
import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";

/** At rest, how many intervals pass between two looks. A job that is added announces itself. */
const REST = 2;

/** The fraction of an interval after which to look again when something has been added, or is due and not taken. */
const SOON = 0.1;

/** The most jobs that a look finds: no process takes more at once. */
const MAX_FOUND = 16;

interface Look {
  /** Workers that died and still hold jobs. */
  has_dead: boolean;
  /** Jobs that can be taken now. */
  due: number;
  /** Milliseconds until each job can be taken that will be due before the next look. */
  due_in_ms: number[];
}

/** SQL: the jobs `j` that a worker can take once they are due. */
export const TAKEABLE = `graphile_worker._private_jobs j
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.is_available and coalesce(q.is_available, true)`;

const LOOK = {
  name: "jobs-look",
  text: `
    select exists (${FIND_DEAD}) as has_dead,
      (select count(*)::int from (select from ${TAKEABLE} and run_at <= now() limit ${MAX_FOUND}) found) as due,
      array(
        select ceil(extract(epoch from run_at - now()) * 1000)::int from ${TAKEABLE}
        and run_at > now() and run_at < now() + $3 * interval '1 millisecond' order by run_at limit ${MAX_FOUND}
      ) as due_in_ms`,
};

/** All workers of a process, which share one id, as graphile-worker has them. */
export interface Workers {
  id: string;
  /** Makes so many idle workers look for jobs. Throws once they are stopping. */
  nudge(workers: number): void;
}

export interface WatchOptions {
  /** How often to look at the queue while jobs are added, in milliseconds. */
  intervalMs: number;
  stopping: AbortSignal;
}

/**
 * Looks at the queue by one statement in turn, so that the idle workers of a process need not poll, each for itself:
 * wakes one for every job the moment it is due, or when its announcement was lost, and releases the jobs of workers
 * that died.
 */
export class QueueWatch {
  readonly #workers: Workers;
  readonly #lock: WorkerLock;
  readonly #intervalMs: number;
  readonly #stopping: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #nextAt = Infinity;
  #isLooking = false;
  /** Whether something was added during a look, which may not have seen it. */
  #isStale = false;
  #isEnded = false;
  #dueTimers: NodeJS.Timeout[] = [];

  constructor(workers: Workers, lock: WorkerLock, { intervalMs, stopping }: WatchOptions) {
    this.#workers = workers;
    this.#lock = lock;
    this.#intervalMs = intervalMs;
    this.#stopping = stopping;
  }

  /** Looks now, and from then on. Never rejects: without the database there are no jobs either. */
  async look(): Promise<void> {
    this.#isLooking = true;
    this.#isStale = false;
    const isBusy = await this.#lookOnce().catch((error: unknown) => {
      log.warn({ worker_id: this.#workers.id, err: error }, "could not look at the job queue; trying again");
      return false;
    });
    this.#isLooking = false;
    this.#nextAt = Infinity;
    this.#lookWithin(this.#intervalMs * (isBusy || this.#isStale ? SOON : REST));
  }

  /** Call it when jobs were added: they may be due soon, or missed because two workers looked for them at once. */
  readonly notice = (): void => {
    this.#isStale = true;
    if (!this.#isLooking) this.#lookWithin(this.#intervalMs * SOON);
  };

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#dueTimers.forEach(clearTimeout);
  }

  readonly #wake = (workers: number): void => {
    if (!this.#stopping.aborted) this.#workers.nudge(workers);
  };

  #lookWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#isEnded || at >= this.#nextAt) return;
    this.#nextAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), milliseconds);
  }

  /** Whether jobs were due that nobody had taken. */
  async #lookOnce(): Promise<boolean> {
    const until = this.#intervalMs * (REST + 1);
    const { rows } = await pool().query<Look>({ ...LOOK, values: [this.#workers.id, WORKER_LOCK, until] });
    const { has_dead: hasDead = false, due = 0, due_in_ms: dueIn = [] } = rows[0] ?? {};
    if (hasDead) await this.#releaseDead();
    this.#dueTimers.forEach(clearTimeout);
    if (this.#isEnded) return false;
    this.#dueTimers = dueIn.map((milliseconds) => setTimeout(this.#wake, milliseconds, 1));
    if (due > 0) this.#wake(due);
    return due > 0;
  }

  async #releaseDead(): Promise<void> {
    const areDead = this.#lock.isSettled();
    const released = await releaseDeadWorkers(this.#workers.id, areDead);
    const what = areDead ? "that died" : "whose connection ended with this one's";
    if (released.length > 0)
      log.warn({ worker_id: this.#workers.id, released }, `released the jobs of workers ${what}`);
  }
}
