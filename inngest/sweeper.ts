import { sendRequests } from "@/inngest/client";
import { resumeSchedules } from "@/inngest/engine/resume-schedules";
import { sendDueRequests } from "@/inngest/job-requests";
import { endStalledTransactions } from "@/lib/database/stalled-transactions";
import { usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { failLostAnalyses } from "@/lib/migration/analyze-migration";
import { reenqueueMigrations } from "@/lib/migration/enqueue-jobs";
import { startDueDeltas } from "@/lib/migration/runs/start-delta";
import { wakeDueRuns } from "@/lib/migration/runs/wake-runs";
import { onShutdown } from "@/lib/shutdown";
import { disableOrphanedWebhooks } from "@/lib/webhooks/app-access";
import { enqueueOverdue } from "@/lib/webhooks/sending/enqueue-drain";

export interface Sweep {
  /** The name by which the log tells of a failure. */
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

/**
 * Checks that every process with the functions makes from time to time. They are timers and not scheduled functions,
 * because they must go on when an Inngest server has lost its schedule, and because steps cost ten times as many
 * statements. All can run in several processes at once.
 */
export const SWEEPS: readonly Sweep[] = [
  // Requests for jobs that an Inngest server has not taken. The embedded engine stores no requests. It sends those that
  // are left from a time with an Inngest server.
  { name: "job requests", everyMs: usesInngestServer ? 5_000 : 60_000, run: () => sendDueRequests(sendRequests) },
  // Deliveries whose drain was never enqueued, or whose process died.
  { name: "overdue deliveries", everyMs: 20_000, run: enqueueOverdue },
  // What a frozen process holds.
  { name: "stalled transactions", everyMs: 20_000, run: () => endStalledTransactions() },
  // Jobs of migrations that the engine has lost.
  { name: "jobs of migrations", everyMs: 45_000, run: reenqueueMigrations },
  { name: "lost analyses", everyMs: 60_000, run: failLostAnalyses },
  // Runs whose time has come to look for API requests of their org.
  { name: "waiting runs", everyMs: 30_000, run: wakeDueRuns },
  { name: "scheduled deltas", everyMs: 30_000, run: startDueDeltas },
  // Schedules of the embedded engine that wait for a time which a wrong clock has named.
  ...(usesInngestServer ? [] : [{ name: "schedules", everyMs: 60_000, run: resumeSchedules }]),
  // Webhooks of apps whose access has ended.
  { name: "webhooks of apps", everyMs: 60_000, run: disableOrphanedWebhooks },
];

/** Runs each sweep at its interval for as long as this process lives. Returns what ends them. */
export function startSweeper(sweeps: readonly Sweep[] = SWEEPS): () => void {
  const timers = sweeps.map(startSweep);
  const stop = () => timers.forEach(clearInterval);
  onShutdown(async () => stop());
  return stop;
}

/** A sweep that takes longer than its interval is not started twice. */
function startSweep({ name, everyMs, run }: Sweep): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void run()
      .catch((error: unknown) => log.error({ err: error, sweep: name }, "a sweep failed; it is repeated"))
      .finally(() => (isRunning = false));
  }, everyMs).unref();
}
