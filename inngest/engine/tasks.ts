import type { JobHelpers, TaskList } from "graphile-worker";

import { dispatchEvents } from "@/inngest/engine/dispatch-events";
import { purgeJobs } from "@/inngest/engine/purge-jobs";
import type { Tasks } from "@/inngest/engine/queue/add-job";
import { type Engine, runFunction } from "@/inngest/engine/run-function";
import { type ScheduledStart, startScheduled } from "@/inngest/engine/scheduled-runs";
import { wakeRun } from "@/inngest/engine/wake-run";

/** What graphile-worker calls for each kind of job. Payloads are our own, written by `addJob` and `cronItems`. */
export function createTasks(engine: Engine): TaskList {
  return {
    "dispatch-events": () => dispatchEvents(engine.definitions.values()),
    "run-function": (payload, helpers) => runFunction(engine, taken(helpers), payload as Tasks["run-function"]),
    "wake-run": (payload, helpers) => wakeRun(taken(helpers), payload as Tasks["wake-run"]),
    "start-scheduled": async (payload, helpers) => {
      const start = payload as ScheduledStart;
      const definition = engine.definitions.get(start.function_id);
      if (definition) await startScheduled(taken(helpers), definition, start);
    },
    "purge-jobs": () => purgeJobs(),
  };
}

function taken({ job }: JobHelpers): { id: string; holder: string; takes: number } {
  return { id: job.id, holder: job.locked_by ?? "", takes: job.attempts };
}
