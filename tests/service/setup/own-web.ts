import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { freePort } from "@/scripts/service/free-port";
import { type Relay, startRelay } from "@/tests/service/setup/relay";

const ROOT = join(import.meta.dirname, "../../..");
const READY_TIMEOUT_MS = 60_000;

/** Another web process of the running service: the same build and database, with other settings. */
export interface OwnWeb {
  baseUrl: string;
  /** The relay of all its database connections. */
  database: Relay;
  /** What it has logged so far. */
  logged: () => string;
  /** Ends it as a supervisor does, and resolves when it has ended. */
  stop: () => Promise<void>;
}

/**
 * Starts it on a free port. `npm test` sets DATABASE_URL, APP_SECRET and APP_URL to those of the service; set them by
 * hand otherwise.
 */
export async function startOwnWeb(settings: Record<string, string>): Promise<OwnWeb> {
  const url = new URL(process.env.DATABASE_URL ?? "missing:");
  if (url.protocol === "missing:")
    throw new Error("Set DATABASE_URL to the database of the service that runs at SERVICE_FILE's base_url.");
  const database = await startRelay(url.hostname, Number(url.port || 5432));
  Object.assign(url, { hostname: "127.0.0.1", port: String(database.port) });
  // A socket in `host` would override the address.
  url.searchParams.delete("host");
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "production",
    PORT: String(port),
    WEB_PROCESSES: "1",
    DATABASE_URL: url.href,
    ...settings,
  };
  // The IPC channel closes when this process ends, and the web process ends too.
  const child = spawn(process.execPath, ["dist/web.js"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let logged = "";
  child.stdout?.setEncoding("utf8").on("data", (lines: string) => {
    logged += lines;
    process.stdout.write(lines);
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await database.cut();
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await pause(100)) {
    const isLive = await fetch(`${baseUrl}/api/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isLive) return { baseUrl, database, logged: () => logged, stop };
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error("The web process of this test did not answer within a minute.");
  }
}
