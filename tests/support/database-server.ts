import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { type Cluster, startCluster } from "@/scripts/postgres/cluster";
import { dropDatabase, ensureDatabase, withDatabase } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";

declare module "vitest" {
  export interface ProvidedContext {
    /** The connection string of the migrated template, which every suite clones, as its owner. */
    templateUrl: string;
    /** The same as the user of web and worker. */
    templateRuntimeUrl: string;
  }
}

/** A test database is temporary, so it need not survive a power cut. */
const FAST = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
  "shared_buffers=256MB",
];
const PREFIX = "crm-tests-";

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  await sweep();
  const folder = join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`);
  await mkdir(folder);
  await chmod(folder, 0o755);
  const cluster: Cluster = await startCluster(join(folder, "postgres"), { flags: FAST });
  return {
    url: cluster.url("postgres"),
    stop: async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Stops and removes what killed runs left behind: folders have the name of their process. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-")[0] : Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    const left = await startCluster(join(folder, "postgres")).catch(() => undefined);
    await left?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Template {
  url: string;
  runtimeUrl: string;
  /** Stops the server; further calls share the same stop. */
  stop: () => Promise<void>;
}

async function prepareTemplate(): Promise<Template> {
  const server = await startServer();
  const template = `crm_template_${randomBytes(4).toString("hex")}`;
  const url = withDatabase(server.url, template);
  await ensureDatabase(server.url, template);
  const { runtimeUrl } = await prepareDatabase(url, { secrets: [randomBytes(32).toString("hex")] });
  const end = async (): Promise<void> => {
    await dropDatabase(server.url, template);
    await server.stop();
  };
  let ended: Promise<void> | undefined;
  return { url, runtimeUrl, stop: () => (ended ??= end()) };
}

// Each project has its own setup, with its own modules, in one process.
const holder = globalThis as typeof globalThis & { crmTemplate?: Promise<Template> };

/**
 * Vitest's global setup: one real PostgreSQL server for the run, whichever projects need it, with a migrated template
 * database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, runtimeUrl, stop } = await (holder.crmTemplate ??= prepareTemplate());
  project.provide("templateUrl", url);
  project.provide("templateRuntimeUrl", runtimeUrl);
  return stop;
}
