import { hasInngestServer } from "@/lib/env-rules";
import { WEB_ARGS, WORKER_ARGS } from "@/scripts/service/process-args";
import type { ProcessCounts } from "@/scripts/service/process-counts";
import { ROOT } from "@/scripts/service/root";
import { type Supervised, supervise } from "@/scripts/service/supervise";

/** The ids of those that run just now. */
export function pidsOf(processes: readonly Supervised[]): number[] {
  return processes.flatMap((each) => each.pid() ?? []);
}

/** Starts the web processes and workers of this machine, with the settings of this process. */
export function startProcesses(
  { web, worker }: ProcessCounts,
  print: (line: string) => void,
): { webs: Supervised[]; workers: Supervised[] } {
  const { INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  // With an Inngest server, the web processes serve the functions, and no worker is needed.
  const usesServer = hasInngestServer({ INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY });
  const workers = usesServer ? 0 : worker;
  const start = (name: string, args: string[], settings: Record<string, string | undefined>): Supervised =>
    supervise({ name, args, cwd: ROOT, env: { ...process.env, ...settings }, print });
  return {
    webs: settingsOfWebs(web, workers).map((settings, index) => start(nameOf("web", index, web), WEB_ARGS, settings)),
    workers: Array.from({ length: workers }, (_, index) =>
      start(nameOf("worker", index, workers), WORKER_ARGS, { METRICS_PORT: metricsPort(index) }),
    ),
  };
}

function nameOf(kind: string, index: number, count: number): string {
  return count === 1 ? kind : `${kind} ${index + 1}`;
}

/** Several web processes share a port, count requests together, and show their metrics behind those of the workers. */
function settingsOfWebs(count: number, workers: number): Record<string, string | undefined>[] {
  if (count === 1) return [{ WEB_PROCESSES: "1" }];
  return Array.from({ length: count }, (_, index) => ({
    WEB_PROCESSES: String(count),
    RATE_LIMIT_STORE: process.env.RATE_LIMIT_STORE || "postgres",
    METRICS_PORT: metricsPort(workers + index),
  }));
}

/** The port of one process, counted from METRICS_PORT. */
function metricsPort(index: number): string | undefined {
  return process.env.METRICS_PORT && String(Number(process.env.METRICS_PORT) + index);
}
