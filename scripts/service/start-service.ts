import { join } from "node:path";

import { namesInngestServer } from "@/lib/inngest-server";
import { buildIfNeeded } from "@/scripts/service/build";
import { openDatabase } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { assertPortFree, resolveSettings } from "@/scripts/service/settings";
import { type Supervised, supervise } from "@/scripts/service/supervise";
import { WORKER_ARGS } from "@/scripts/service/worker-process";

/** The whole service, running: database, web and worker. */
export interface Service {
  baseUrl: string;
  dataDir: string;
  workerPid(): number | undefined;
  /** Stops web and worker, then the embedded database, so that its cluster is left clean. */
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");
const READY_WITHIN_MS = 60_000;

const say = (line: string): void => console.error(line);

/**
 * Starts everything on this machine. `extra` are settings on top of the person's own. They are also set in this process, so that modules of
 * `lib` that it imports afterwards work on the same database.
 */
export async function startService(extra: Record<string, string> = {}): Promise<Service> {
  const settings = await resolveSettings();
  await assertPortFree(settings.port);
  await buildIfNeeded(say);
  const database = await openDatabase(settings.dataDir, say);
  Object.assign(process.env, extra, {
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    DATA_DIR: settings.dataDir,
    APP_URL: settings.appUrl,
    APP_SECRET: settings.appSecret,
    PORT: String(settings.port),
    NEXT_TELEMETRY_DISABLED: "1",
  });
  await checkSettings().catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
  const common = { cwd: ROOT, env: process.env, say };
  const web = supervise({ ...common, name: "web", args: ["--import", "tsx", join(ROOT, "scripts/web.ts")] });
  const { INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  // On an Inngest server the web process serves the functions, and there is nothing for a worker to do.
  const worker = namesInngestServer({ INNGEST_BASE_URL, INNGEST_DEV, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY })
    ? undefined
    : supervise({ ...common, name: "worker", args: WORKER_ARGS });
  const stop = async (): Promise<void> => {
    await Promise.all([web.stop(), worker?.stop()]);
    await database.stop();
  };
  await waitUntilLive(settings.port, web).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { baseUrl: settings.appUrl, dataDir: settings.dataDir, workerPid: () => worker?.pid(), stop };
}

/** Says what is wrong with a setting before a process that would refuse it is started again and again. */
async function checkSettings(): Promise<void> {
  try {
    await import("@/lib/env");
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error));
  }
}

async function waitUntilLive(port: number, web: Supervised): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/live`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Fault(`The web process (${web.pid() ?? "not running"}) did not answer within a minute; its lines above say why.`);
}

/** Resolves when the person asks to stop (Ctrl-C), or a supervisor does. Further signals are swallowed: the stop is under way. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => done());
  });
}
