import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { hasInngestServer } from "@/lib/env-rules";
import { buildIfNeeded } from "@/scripts/service/build";
import { makeDataFolder } from "@/scripts/service/data-folder";
import { openDatabase } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { assertPortFree } from "@/scripts/service/free-port";
import { takeLock } from "@/scripts/service/lock";
import { readAppSecrets, readSettings, type ServiceSettings } from "@/scripts/service/settings";
import { type Supervised, supervise } from "@/scripts/service/supervise";
import { watchWeb } from "@/scripts/service/watch-web";
import { WORKER_ARGS } from "@/scripts/service/worker-process";

/** The whole service, running: database, web and worker. */
export interface Service {
  baseUrl: string;
  dataDir: string;
  /** Of the user who owns the database, for who looks into it from outside. */
  databaseOwnerUrl: string;
  webPid(): number | undefined;
  workerPid(): number | undefined;
  /** Stops web and worker, then the embedded database, so that its cluster is left clean. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** The command that the person gave, as the lock file names it. */
  command: string;
  /** Ends the start at once, stops what was started, and throws its reason. */
  asked: AbortSignal;
  /** Settings on top of the person's own. */
  extra?: Record<string, string>;
}

const ROOT = join(import.meta.dirname, "../..");
/** The addresses that stand for all of them; nobody can be called there. */
const EVERY_ADDRESS = new Set(["0.0.0.0", "::"]);
const READY_WITHIN_MS = 60_000;
/** What a killed service had started ends by itself within this time. */
const GONE_WITHIN_MS = 12_000;

const say = (line: string): void => console.error(line);

/**
 * Starts everything on this machine. Whatever goes wrong, or when the person asks to stop: what was started by then is
 * stopped.
 */
export async function startService({ command, asked, extra = {} }: StartOptions): Promise<Service> {
  const settings = readSettings();
  await using started = new AsyncDisposableStack();
  await makeDataFolder(settings.dataDir);
  const lock = await takeLock(settings.dataDir, command);
  started.defer(() => lock.release());
  await assertPortFree(settings, lock.afterCrash ? GONE_WITHIN_MS : 0, asked);
  asked.throwIfAborted();
  await buildIfNeeded(say, asked);
  const database = await openDatabase(settings, say, asked);
  started.defer(() => database.stop());
  await applySettings(settings, { ...extra, DATABASE_URL: database.url });
  asked.throwIfAborted();
  const { web, worker } = startProcesses();
  started.defer(async () => void (await Promise.all([web.stop(), worker?.stop()])));
  const origin = originOf(settings);
  await waitUntilLive(origin, web, asked);
  const watch = watchWeb({ web, origin, databaseUrl: database.url });
  started.defer(() => watch.stop());
  const running = started.move();
  return {
    baseUrl: settings.appUrl,
    dataDir: settings.dataDir,
    databaseOwnerUrl: database.ownerUrl,
    webPid: web.pid,
    workerPid: () => worker?.pid(),
    stop: () => running.disposeAsync(),
  };
}

/**
 * Sets what web and worker are started with in this process, so that modules of `lib` that it imports afterwards work
 * on the same database. Says what is wrong with a setting before a process that would refuse it is started again and
 * again.
 */
async function applySettings({ dataDir, appUrl, port }: ServiceSettings, extra: Record<string, string>): Promise<void> {
  Object.assign(process.env, extra, {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    APP_URL: appUrl,
    ...(await readAppSecrets(dataDir)),
    PORT: String(port),
    NEXT_TELEMETRY_DISABLED: "1",
  });
  try {
    await import("@/lib/env");
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error));
  }
}

function startProcesses(): { web: Supervised; worker: Supervised | undefined } {
  const common = { cwd: ROOT, env: process.env, say };
  const { INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  // On an Inngest server the web process serves the functions, and there is nothing for a worker to do.
  const usesServer = hasInngestServer({ INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY });
  return {
    web: supervise({ ...common, name: "web", args: ["--import", "tsx", join(ROOT, "scripts/web.ts")] }),
    worker: usesServer ? undefined : supervise({ ...common, name: "worker", args: WORKER_ARGS }),
  };
}

/** Where the web process answers this machine. */
function originOf({ port, host }: ServiceSettings): string {
  const address = host === undefined || EVERY_ADDRESS.has(host) ? "127.0.0.1" : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

async function waitUntilLive(origin: string, web: Supervised, asked: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    asked.throwIfAborted();
    const answer = await fetch(`${origin}/api/health/live`, { signal: asked }).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(200, undefined, { signal: asked }).catch(() => undefined);
  }
  throw new Fault(
    `The web process (${web.pid() ?? "not running"}) did not answer within a minute; its lines above say why.`,
  );
}
