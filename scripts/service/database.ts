import { join } from "node:path";

import { attachCluster, startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { type Access, runtimeUrlOf } from "@/scripts/postgres/row-level-security";
import { prepareInProcess } from "@/scripts/service/prepare-in-process";
import type { ProcessCounts } from "@/scripts/service/supervisor/process-counts";
import { readAppSecrets, secretsOf, type ServiceSettings } from "@/scripts/service/settings";

export interface Database {
  /** The address with which web and worker connect. */
  url: string;
  /** The address of the tables' owner. If it is a superuser, it bypasses row-level security. Not for web and worker. */
  ownerUrl: string;
  /** How to create the organization while there is none. */
  invitation: string | null;
  stop(): Promise<void>;
}

/** The server of DATABASE_URL if set, otherwise the embedded one in the data folder, which the caller has locked. */
type DatabaseLocation = Pick<ServiceSettings, "databaseUrl" | "databaseRuntimeUrl" | "dataDir">;

/** The location, and how many processes will connect if the server is the embedded one. */
export interface OpenedDatabase extends DatabaseLocation, Pick<ServiceSettings, "processes"> {
  /** Leaves the database to the present secret, though it was used with another one. */
  forgetsSecrets?: boolean;
}

interface Server {
  ownerUrl: string;
  stop(): Promise<void>;
}

const NAME = "crm";

/** At least 200, and what docs/deploy.md says ("Sizes"): a process has 21, a worker's isolated jobs 20 more. */
function flagsFor({ web, worker }: ProcessCounts): string[] {
  const connections = Math.max(200, 21 * (web + worker) + 20 * worker + 30);
  // Its log is one file that nothing rotates, and would have kilobytes for each read that is cancelled as too slow.
  return [`max_connections=${connections}`, "shared_buffers=256MB", "log_min_error_statement=panic"];
}

/**
 * Opens the database with every migration applied. Starts its server if it is the embedded one. An abort leaves nothing
 * running.
 */
export async function openDatabase(
  location: OpenedDatabase,
  print: (line: string) => void,
  stopSignal?: AbortSignal,
): Promise<Database> {
  // Before anything is started for a secret that is none.
  const secrets = await readAppSecrets(location.dataDir);
  const server = location.databaseUrl
    ? externalServer(location.databaseUrl)
    : await startEmbedded(location, print, stopSignal);
  try {
    const settings = { ...secrets, DATA_DIR: location.dataDir, DATABASE_URL: server.ownerUrl };
    const { applied, runtimeUrl, invitation } = await prepareInProcess(settings, {
      stopSignal,
      forgetsSecrets: location.forgetsSecrets ?? false,
    });
    if (applied.length > 0) print(`Database prepared (${applied.join(", ")}).`);
    stopSignal?.throwIfAborted();
    return { ...server, url: runtimeUrl, invitation };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function accessOf({ dataDir, databaseRuntimeUrl }: DatabaseLocation): Promise<Access> {
  return { runtimeUrl: databaseRuntimeUrl, secrets: secretsOf(await readAppSecrets(dataDir)) };
}

async function startEmbedded(
  { dataDir, processes }: OpenedDatabase,
  print: (line: string) => void,
  stopSignal?: AbortSignal,
): Promise<Server> {
  const cluster = await startCluster(join(dataDir, "postgres"), {
    flags: flagsFor(processes),
    print,
    keepsRunning: true,
    ...(stopSignal && { stopSignal }),
  });
  try {
    await ensureDatabase(cluster.url("postgres"), NAME);
    return { ownerUrl: cluster.url(NAME), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * The database of a running service, which stays running. Undefined while its embedded server does not accept
 * connections.
 */
export async function attachDatabase(location: DatabaseLocation): Promise<Database | undefined> {
  const ownerUrl = location.databaseUrl ?? (await attachCluster(join(location.dataDir, "postgres")))?.url(NAME);
  if (ownerUrl === undefined) return undefined;
  const url = await runtimeUrlOf(ownerUrl, await accessOf(location));
  return { ...externalServer(ownerUrl), url, invitation: null };
}

function externalServer(ownerUrl: string): Server {
  return { ownerUrl, stop: async () => undefined };
}
