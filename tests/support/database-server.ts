import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { type Cluster, startCluster } from "@/scripts/postgres/cluster";
import { dropDatabase, ensureDatabase, withDatabase } from "@/scripts/postgres/databases";
import { applyMigrations } from "@/scripts/postgres/schema-engine";

declare module "vitest" {
  export interface ProvidedContext {
    /** Connection string of the migrated template, which every suite clones. */
    templateUrl: string;
  }
}

/** A test database is thrown away, so it need not survive a power cut. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300", "shared_buffers=256MB"];
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

/** Stops and removes what killed test runs left behind: folders are named after the process that made them. */
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

/** Vitest's global setup: one real PostgreSQL server for the run, with a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `crm_template_${randomBytes(4).toString("hex")}`;
  await ensureDatabase(server.url, template);
  await applyMigrations(withDatabase(server.url, template));
  project.provide("templateUrl", withDatabase(server.url, template));
  return async () => {
    await dropDatabase(server.url, template);
    await server.stop();
  };
}
