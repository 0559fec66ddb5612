import { setTimeout } from "node:timers/promises";

import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { makeDataFolder } from "@/scripts/service/data-folder";
import { openDatabase } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { collectAfterStart } from "@/scripts/service/processes/collect-at-rest";
import { assertPortFree } from "@/scripts/service/free-port";
import { isLive } from "@/scripts/service/supervisor/is-live";
import { acquireLock } from "@/scripts/service/lock";
import { readAppSecrets, readSettings, type ServiceSettings } from "@/scripts/service/settings";
import { pidsOf, startWebs, startWorkers } from "@/scripts/service/supervisor/start-processes";
import { extraStopMs, type Supervised } from "@/scripts/service/supervisor/supervise";
import { watchProcess } from "@/scripts/service/supervisor/watch-process";

/** The running service: database, web processes and workers. */
export interface Service {
  baseUrl: string;
  dataDir: string;
  /** The address of the database's owner, for tests that read the database. */
  databaseOwnerUrl: string;
  /** How to create the organization while there is none. */
  invitation: string | null;
  /** The ids of its processes, but for those that are just being started again. */
  pids(): { web: number[]; worker: number[] };
  /** Stops web and workers, then the embedded database, so that its cluster is shut down cleanly. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** The command that the person ran, for the lock file. */
  command: string;
  /** Ends the start, stops everything that was started, and throws its reason. */
  stopSignal: AbortSignal;
  /** Settings that override the person's. */
  extra?: Record<string, string>;
}

/** Addresses that mean all addresses. No client can connect to them. */
const WILDCARD_ADDRESSES = new Set(["0.0.0.0", "::"]);
const READY_TIMEOUT_MS = 60_000;
/** Processes that a killed service started end within this time, unless the settings give them longer. */
const EXIT_TIMEOUT_MS = 12_000;

const print = (line: string): void => console.error(line);

/**
 * Starts everything on this machine. On an error, or when the person asks to stop, everything started so far is
 * stopped.
 */
export async function startService({ command, stopSignal, extra = {} }: StartOptions): Promise<Service> {
  Object.assign(process.env, extra);
  const settings = readSettings();
  await using started = new AsyncDisposableStack();
  await makeDataFolder(settings.dataDir);
  const lock = await acquireLock(settings.dataDir, command);
  started.defer(() => lock.release());
  const exitTimeoutMs = EXIT_TIMEOUT_MS + extraStopMs(process.env);
  await assertPortFree(settings, lock.afterCrash ? exitTimeoutMs : 0, stopSignal);
  stopSignal.throwIfAborted();
  await buildIfNeeded(print, stopSignal);
  Object.assign(process.env, await settingsOfProcesses(settings));
  const database = await openDatabase(settings, print, stopSignal);
  started.defer(() => database.stop());
  process.env.DATABASE_URL = database.url;
  stopSignal.throwIfAborted();
  // Processes that share a port would share it with those of another service, too.
  await assertPortFree(settings);
  const webs = startWebs(settings.processes, print);
  const processes = [...webs];
  started.defer(async () => void (await Promise.all(processes.map((each) => each.stop()))));
  await waitUntilLive(originOf(settings), webs, stopSignal);
  // Workers would take from web the processor with which it starts.
  const workers = startWorkers(settings.processes, print);
  processes.push(...workers);
  const watches = processes.map((process) => watchProcess({ process, databaseUrl: database.url }));
  started.defer(async () => void (await Promise.all(watches.map((watch) => watch.stop()))));
  const running = started.move();
  collectAfterStart();
  return {
    baseUrl: settings.appUrl,
    dataDir: settings.dataDir,
    databaseOwnerUrl: database.ownerUrl,
    invitation: database.invitation,
    pids: () => ({ web: pidsOf(webs), worker: pidsOf(workers) }),
    stop: () => running.disposeAsync(),
  };
}

/**
 * The settings of web and worker. This process has them too, so that modules of `lib` that it imports later use the
 * same database.
 */
export async function settingsOfProcesses({
  dataDir,
  appUrl,
  port,
}: Pick<ServiceSettings, "dataDir" | "appUrl" | "port">): Promise<Record<string, string>> {
  return {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    APP_URL: appUrl,
    ...(await readAppSecrets(dataDir)),
    PORT: String(port),
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** The origin at which this machine reaches the web processes. */
function originOf({ port, host }: ServiceSettings): string {
  const address = host === undefined || WILDCARD_ADDRESSES.has(host) ? "127.0.0.1" : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** Throws Fault if no web process answers at `origin` within a minute. */
export async function waitUntilLive(
  origin: string,
  webs: readonly Supervised[],
  stopSignal: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(READY_TIMEOUT_MS)]);
  while (!signal.aborted) {
    if (await isLive(origin, signal)) return;
    await setTimeout(50, undefined, { signal }).catch(() => undefined);
  }
  stopSignal.throwIfAborted();
  throw new Fault(
    `The web process (${pidsOf(webs).join(", ") || "not running"}) did not answer within a minute. ` +
      "Its messages above say why.",
  );
}
