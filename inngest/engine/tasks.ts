import { type JobHelpers, Logger, type TaskList, parseCronItem, type ParsedCronItem } from "graphile-worker";
import type { Pool, PoolClient } from "pg";

import { dispatchEvents, createRun, type JobEvent } from "@/inngest/engine/events";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { wakeRun } from "@/inngest/engine/settle";
import { transaction } from "@/lib/database/db";
import { type TakenJob, type Tasks, finishJob } from "@/inngest/engine/queue/jobs";
import { type Engine, runFunction } from "@/inngest/engine/run-function";
import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { log } from "@/lib/log";
import { unavailability } from "@/lib/unavailable";

/** graphile-worker's task list. `addJob` and `cronItems` write the payloads. */
export function createTasks(engine: Engine): TaskList {
  return {
    "dispatch-events": () => dispatchEvents(engine.definitions.values()),
    "run-function": (payload, helpers) => runFunction(engine, takenJob(helpers), payload as Tasks["run-function"]),
    "wake-run": (payload, helpers) => wakeRun(takenJob(helpers), payload as Tasks["wake-run"]),
    "start-scheduled": async (payload, helpers) => {
      const start = payload as ScheduledStart;
      const definition = engine.definitions.get(start.function_id);
      if (definition) await startScheduled(takenJob(helpers), definition, start);
    },
    "purge-jobs": () => purgeJobs(),
  };
}

/** What graphile-worker reports when its connection breaks; it opens another. */
const RECOVERS = /trying again|UNLISTEN/;

/** graphile-worker's log in ours. Its messages per job are debug messages: the engine logs runs. */
export const queueLogger = new Logger((scope) => (level, message) => {
  const fields = { worker_id: scope.workerId, job_id: scope.jobId };
  if (level === "error" && !RECOVERS.test(message)) log.error(fields, message);
  else if (level === "error" || level === "warning") log.warn(fields, message);
  else log.debug(fields, message);
});

/** The database is down, out of reach or full, in the words that graphile-worker understands. */
class Outage extends Error {
  /** cannot_connect_now: one of few errors after which it tries again, for three hours (graphile-worker, lib.js). */
  readonly code = "57P03";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * The pool as graphile-worker gets it. It awaits nowhere that a job is completed or failed, so an error of that
 * statement would end the process, unless it is one after which it tries again. Here every outage is one: no
 * connection, one that broke before the answer, a full disk. Repeating those statements does no harm: they name the
 * job and its holder.
 */
export function retriedPool(pool: Pool): Pool {
  const connect = (callback?: Parameters<Pool["connect"]>[0]) =>
    callback ? pool.connect(callback) : connectRetried(pool);
  return new Proxy(pool, {
    get: (target, name, receiver) => (name === "connect" ? connect : Reflect.get(target, name, receiver)),
  });
}

async function connectRetried(pool: Pool): Promise<Pick<PoolClient, "query" | "release">> {
  const client = await pool.connect().catch(throwRetried);
  const query = (text: string, values?: unknown[]) => client.query(text, values).catch(throwRetried);
  return { query: query as PoolClient["query"], release: () => client.release() };
}

function throwRetried(error: Error): never {
  throw unavailability(error) ? new Outage(error) : error;
}

function takenJob({ job }: JobHelpers): TakenJob {
  const { id, locked_by: holder, attempts: takes, max_attempts: maxTakes } = job;
  return { id, holder: holder ?? "", takes, takesLeft: maxTakes - takes };
}

interface ScheduledStart {
  function_id: string;
  cron: string;
  /** The minute for which it was scheduled, added by graphile-worker. */
  _cron: { ts: string };
}

/**
 * The cron triggers of functions. graphile-worker queues one job per matching minute, whatever the number of workers.
 */
export function cronItems(definitions: Iterable<FunctionDefinition>): ParsedCronItem[] {
  return [...definitions].flatMap(({ id, crons }) =>
    crons.map((cron, index) =>
      parseCronItem(
        { task: "start-scheduled", match: cron, identifier: `${id}:${index}`, payload: { function_id: id, cron } },
        `the function ${id}`,
      ),
    ),
  );
}

/** Starts a scheduled function. The event's id contains the minute, so that a minute counts once. */
async function startScheduled(
  job: TakenJob,
  definition: FunctionDefinition,
  { cron, _cron: { ts } }: ScheduledStart,
): Promise<void> {
  const event: JobEvent = {
    id: `${definition.id}:${cron}:${ts}`,
    name: "inngest/scheduled.timer",
    data: { cron },
    ts: Date.parse(ts),
  };
  await transaction(async (db) => {
    await finishJob(db, job);
    await db.query(
      "insert into job_events (id, name, body, dispatched_at) values ($1, $2, $3, now()) on conflict (id) do nothing",
      [event.id, event.name, JSON.stringify(event)],
    );
    await createRun(db, definition, event);
  });
}

const RETENTION_DAYS = 7;

/**
 * Each deletes one batch; `$1` is the number of days to keep. Steps are deleted with their run. The order of events is
 * that of an index, by which they are found: there may be millions that are younger.
 */
const PURGE_STATEMENTS = [
  `delete from job_runs where id in (select id from job_runs where finished_at < now() - $1 * interval '1 day'
    limit ${DELETE_BATCH_SIZE})`,
  `delete from job_events where id in (
     select id from job_events e where dispatched_at < now() - $1 * interval '1 day'
     and not exists (select 1 from job_runs r where r.event_id = e.id)
     order by dispatched_at limit ${DELETE_BATCH_SIZE})`,
];

/** Purges runs and events that ended more than a week ago. The id of a purged event may be used again. */
export async function purgeJobs(keepDays: number = RETENTION_DAYS): Promise<void> {
  try {
    for (const statement of PURGE_STATEMENTS) await deleteInBatches(statement, [keepDays]);
  } finally {
    await removeIdleQueues();
  }
}

/**
 * graphile-worker creates a queue per concurrency key and reads the idle ones at every poll. The lock waits for jobs
 * that are being added; otherwise a job could end up in a deleted queue and never run.
 */
async function removeIdleQueues(): Promise<void> {
  await transaction(async (db) => {
    await db.query("lock table graphile_worker._private_job_queues in share row exclusive mode");
    await db.query(
      `delete from graphile_worker._private_job_queues q where locked_at is null
       and not exists (select 1 from graphile_worker._private_jobs j where j.job_queue_id = q.id)`,
    );
  });
}
