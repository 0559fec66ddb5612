import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { ensureDatabase } from "@/scripts/postgres/databases";
import { dropDatabase, withDatabase } from "@/tests/support/databases";

const ROOT = join(import.meta.dirname, "../../..");

/**
 * A separate service for one test: the existing build, started by the program behind `npm start`, on a new database.
 */
export interface OwnService {
  baseUrl: string;
  databaseUrl: string;
  /** Everything that web, worker and their supervisor have printed so far, on both streams. */
  printed: () => string;
  /** Stops it and drops its database. */
  stop: () => Promise<void>;
}

/** Starts it on the port, with `settings` added to this process's, on the PostgreSQL server in DATABASE_OWNER_URL. */
export async function startOwnService(port: number, settings: Record<string, string>): Promise<OwnService> {
  const server = process.env.DATABASE_OWNER_URL;
  if (!server)
    throw new Error("Set DATABASE_OWNER_URL to any database of a PostgreSQL server on which a test may create one.");
  const name = `crm_own_${randomBytes(6).toString("hex")}`;
  await ensureDatabase(server, name);
  const databaseUrl = withDatabase(server, name);
  const folder = await mkdtemp(join(tmpdir(), "crm-own-"));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...settings,
    NODE_ENV: "production",
    PORT: String(port),
    APP_URL: "",
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
  };
  const child = spawn(process.execPath, ["dist/start.js"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const lines: string[] = [];
  const isUp = Promise.withResolvers<boolean>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.includes("The service is running at")) isUp.resolve(true);
    });
  }
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await closed;
    await rm(folder, { recursive: true, force: true });
    await dropDatabase(server, name);
  };
  if (!(await Promise.race([isUp.promise, closed.then(() => false)]))) {
    await stop();
    throw new Error(`The service ended before it was up:\n${lines.join("\n")}`);
  }
  return { baseUrl: `http://localhost:${port}`, databaseUrl, printed: () => lines.join("\n"), stop };
}
