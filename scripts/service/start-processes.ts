import { WEB_ARGS, WORKER_ARGS } from "@/scripts/service/process-args";
import { metricsPorts, type ProcessCounts } from "@/scripts/service/process-counts";
import { ROOT } from "@/scripts/service/root";
import { type Supervised, supervise } from "@/scripts/service/supervise";

/** The ids of those that run just now. */
export function pidsOf(processes: readonly Supervised[]): number[] {
  return processes.flatMap((each) => each.pid() ?? []);
}

/** Starts the web processes and workers of this machine, with the settings of this process. */
export function startProcesses(
  counts: ProcessCounts,
  print: (line: string) => void,
): { webs: Supervised[]; workers: Supervised[] } {
  const { web, worker } = counts;
  const ports = metricsPorts(counts).map(String);
  const start = (name: string, args: string[], settings: Record<string, string | undefined>): Supervised =>
    supervise({ name, args, cwd: ROOT, env: { ...process.env, ...settings }, print });
  // Several web processes count requests together.
  const store = web > 1 ? { RATE_LIMIT_STORE: process.env.RATE_LIMIT_STORE || "postgres" } : {};
  const settings = { WEB_PROCESSES: String(web), ...store };
  return {
    webs: Array.from({ length: web }, (_, index) =>
      start(nameOf("web", index, web), WEB_ARGS, { ...settings, METRICS_PORT: ports[worker + index] }),
    ),
    workers: Array.from({ length: worker }, (_, index) =>
      start(nameOf("worker", index, worker), WORKER_ARGS, { METRICS_PORT: ports[index] }),
    ),
  };
}

function nameOf(kind: string, index: number, count: number): string {
  return count === 1 ? kind : `${kind} ${index + 1}`;
}
