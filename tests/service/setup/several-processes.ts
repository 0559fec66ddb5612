import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { assertPortFree, freePort } from "@/scripts/service/free-port";
import { startService } from "@/scripts/service/supervisor/start-service";

/** A service of its own, with an empty database, as `npm start` runs it with two web processes and two workers. */
export interface SeveralProcesses {
  port: number;
  /** Of the first worker. The other one and the web processes have the next ones. */
  metricsPort: number;
  pids: () => { web: number[]; worker: number[] };
  stop: () => Promise<void>;
}

/** The first of four ports in a row, below those that the system gives to connections. */
async function fourFreePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const tried = [0, 1, 2, 3].map((index) => assertPortFree({ port: first + index, host: "127.0.0.1" }));
    if ((await Promise.allSettled(tried)).every(({ status }) => status === "fulfilled")) return first;
  }
}

/** Starts it with further settings. Changes the settings of this process. */
export async function startSeveralProcesses(settings: Record<string, string>): Promise<SeveralProcesses> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "crm-several-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const [port, metricsPort] = [await freePort(), await fourFreePorts()];
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), WEB_PROCESSES: "2", WORKER_PROCESSES: "2" };
  const own = { DATA_DIR: dataDir, DATABASE_URL: "", APP_URL: "", APP_SECRET: "", RATE_LIMIT_STORE: "" };
  const extra = { ...ports, ...own, ...settings };
  const { pids, stop } = await startService({ command: "npm test", stopSignal: new AbortController().signal, extra });
  started.defer(stop);
  const running = started.move();
  return { port, metricsPort, pids, stop: () => running.disposeAsync() };
}
