import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { type Cluster, startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase, withClient } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { dropDatabase, withDatabase } from "@/tests/support/databases";
import { createClusterFolder } from "@/tests/support/temporary-cluster";

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
  // Bounds what a run takes of the memory, where its files may be.
  "max_wal_size=256MB",
];

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  const folder = await createClusterFolder("crm-tests-", "postgres");
  const cluster: Cluster = await startCluster(join(folder, "postgres"), { flags: FAST });
  return {
    url: cluster.url("postgres"),
    stop: async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
  // Each suite's service may have a secret of its own.
  await withClient(url, (owner) => owner.query("COMMENT ON TABLE connections IS NULL"));
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
