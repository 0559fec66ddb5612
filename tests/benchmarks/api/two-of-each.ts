import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { openDatabase } from "@/scripts/service/database";
import { freePort } from "@/scripts/service/free-port";
import { ROOT } from "@/scripts/service/root";
import { settingsOfProcesses, waitUntilLive } from "@/scripts/service/supervisor/start-service";
import { unlessStopped } from "@/scripts/service/stop-request";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";
import { WEB_ARGS, WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { inOwnFolder, RATE_LIMIT_PER_MINUTE } from "@/tests/benchmarks/api/own-service";

const ROLES = ["web", "worker"] as const;

export type Role = (typeof ROLES)[number];

/** Two web and two worker processes on one database. Each one that ends is started again. */
export interface TwoOfEach {
  /** The address that the service gives as its own (APP_URL). */
  baseUrl: string;
  /** Those of the two web processes. */
  origins: string[];
  /** Kills a process of a random role without warning. Returns the role; undefined if none of it runs just now. */
  killOne: () => Role | undefined;
}

const print = (line: string): void => console.error(line);

/**
 * Runs `work` against the built service: an embedded PostgreSQL with separate data, two web and two worker processes,
 * with the settings that docs/deploy.md asks for where there are several. Removes everything afterwards.
 */
export async function withTwoOfEach<T>(work: (service: TwoOfEach) => Promise<T>): Promise<T> {
  return inOwnFolder(async (dataDir, stopSignal, ends) => {
    await buildIfNeeded(print, stopSignal);
    const ports = [await freePort(), await freePort()];
    const [port = 0] = ports;
    const baseUrl = `http://127.0.0.1:${port}`;
    const several = { RATE_LIMIT_PER_MINUTE, RATE_LIMIT_STORE: "postgres", ALLOW_PRIVATE_NETWORK: "true" };
    Object.assign(process.env, several, await settingsOfProcesses({ dataDir, appUrl: baseUrl, port }));
    const processes = { web: 2, worker: 2 };
    const location = { databaseUrl: undefined, databaseRuntimeUrl: undefined, dataDir, processes };
    const database = await openDatabase(location, print, stopSignal);
    ends.defer(() => database.stop());
    Object.assign(process.env, { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl });

    const start = (name: string, args: string[], settings = {}): Supervised => {
      const env = { ...process.env, LISTEN_HOST: "127.0.0.1", LOG_LEVEL: "error", ...settings };
      const supervised = supervise({ name, args, cwd: ROOT, env, print });
      ends.defer(() => supervised.stop());
      return supervised;
    };
    const running: Record<Role, Supervised[]> = {
      web: ports.map((each) => start("web", WEB_ARGS, { PORT: String(each) })),
      worker: [start("worker", WORKER_ARGS), start("worker", WORKER_ARGS)],
    };
    const origins = ports.map((each) => `http://127.0.0.1:${each}`);
    for (const [index, web] of running.web.entries()) await waitUntilLive(origins[index] ?? "", [web], stopSignal);
    return unlessStopped(stopSignal, work({ baseUrl, origins, killOne: () => killOne(running) }));
  });
}

function killOne(processes: Record<Role, Supervised[]>): Role | undefined {
  const role = ROLES[Math.floor(Math.random() * ROLES.length)] ?? "web";
  const running = processes[role].flatMap((each) => each.pid() ?? []);
  const pid = running[Math.floor(Math.random() * running.length)];
  if (pid === undefined) return undefined;
  process.kill(pid, "SIGKILL");
  return role;
}
