import { WEB_ARGS, WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { metricsPorts, type ProcessCounts } from "@/scripts/service/supervisor/process-counts";
import { ROOT } from "@/scripts/service/root";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";

/** The ids of those that run just now. */
export function pidsOf(processes: readonly Supervised[]): number[] {
  return processes.flatMap((each) => each.pid() ?? []);
}

type Print = (line: string) => void;

/** Starts the web processes of this machine, with the settings of this process. */
export function startWebs(counts: ProcessCounts, print: Print): Supervised[] {
  const { web, worker } = counts;
  const ports = metricsPorts(counts).map(String);
  // Several web processes count requests together.
  const store = web > 1 ? { RATE_LIMIT_STORE: process.env.RATE_LIMIT_STORE || "postgres" } : {};
  const settings = { WEB_PROCESSES: String(web), ...store };
  return Array.from({ length: web }, (_, index) =>
    start(nameOf("web", index, web), WEB_ARGS, { ...settings, METRICS_PORT: ports[worker + index] }, print),
  );
}

/** Only web takes longer to stop with these. A worker that has them would be waited for as long, if it hangs. */
const WITHOUT_STOP_TIMES = { STOP_DELAY_SECONDS: undefined, STOP_TIMEOUT_SECONDS: undefined };

/** Starts the workers of this machine, with the settings of this process. */
export function startWorkers(counts: ProcessCounts, print: Print): Supervised[] {
  const ports = metricsPorts(counts).map(String);
  return Array.from({ length: counts.worker }, (_, index) =>
    start(
      nameOf("worker", index, counts.worker),
      WORKER_ARGS,
      { ...WITHOUT_STOP_TIMES, METRICS_PORT: ports[index] },
      print,
    ),
  );
}

function start(name: string, args: string[], settings: Record<string, string | undefined>, print: Print): Supervised {
  // What Node has compiled and kept would stay in the memory of a process that runs for long: 20 MB of the three.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, ...settings };
  return supervise({ name, args, cwd: ROOT, env, print });
}

function nameOf(kind: string, index: number, count: number): string {
  return count === 1 ? kind : `${kind} ${index + 1}`;
}
