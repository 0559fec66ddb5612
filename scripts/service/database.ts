import { join } from "node:path";

import { attachCluster, startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { type Access, runtimeUrlOf } from "@/scripts/postgres/row-level-security";
import { Fault } from "@/scripts/service/fault";
import { readAppSecrets, type ServiceSettings } from "@/scripts/service/settings";

export interface Database {
  /** With which web and worker connect. */
  url: string;
  /**
   * Of the user who owns the tables, for whom no row-level security counts where it is a superuser. Neither web nor
   * worker is given it.
   */
  ownerUrl: string;
  stop(): Promise<void>;
}

/**
 * What a database is opened with: the server of DATABASE_URL if given, else the embedded one of the data folder, which
 * the caller has locked.
 */
type Place = Pick<ServiceSettings, "databaseUrl" | "databaseRuntimeUrl" | "dataDir">;

interface Server {
  ownerUrl: string;
  stop(): Promise<void>;
}

const FLAGS = ["max_connections=200", "shared_buffers=256MB"];
const NAME = "crm";

/**
 * The database, its server started if it is the embedded one, with every migration applied. An abort leaves nothing
 * running.
 */
export async function openDatabase(place: Place, say: (line: string) => void, asked?: AbortSignal): Promise<Database> {
  const access = await accessOf(place);
  const server = place.databaseUrl ? leftRunning(place.databaseUrl) : await startEmbedded(place.dataDir, say, asked);
  try {
    const { applied, runtimeUrl } = await prepareDatabase(server.ownerUrl, access);
    if (applied.length > 0) say(`Database prepared (${applied.join(", ")}).`);
    asked?.throwIfAborted();
    return { ...server, url: runtimeUrl };
  } catch (error) {
    await server.stop();
    throw place.databaseUrl && !asked?.aborted && !(error instanceof Fault) ? explain(place.databaseUrl, error) : error;
  }
}

async function accessOf({ dataDir, databaseRuntimeUrl }: Place): Promise<Access> {
  const { APP_SECRET, APP_SECRET_PREVIOUS } = await readAppSecrets(dataDir);
  return { runtimeUrl: databaseRuntimeUrl, secrets: [APP_SECRET, ...APP_SECRET_PREVIOUS.split(",").filter(Boolean)] };
}

async function startEmbedded(dataDir: string, say: (line: string) => void, asked?: AbortSignal): Promise<Server> {
  const cluster = await startCluster(join(dataDir, "postgres"), { flags: FLAGS, say, ...(asked && { asked }) });
  try {
    await ensureDatabase(cluster.url("postgres"), NAME);
    return { ownerUrl: cluster.url(NAME), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * The database of a running service, which goes on running. Undefined when its embedded server does not take
 * connections yet, or any more.
 */
export async function attachDatabase(place: Place): Promise<Database | undefined> {
  const ownerUrl = place.databaseUrl ?? (await attachCluster(join(place.dataDir, "postgres")))?.url(NAME);
  if (ownerUrl === undefined) return undefined;
  return { ...leftRunning(ownerUrl), url: await runtimeUrlOf(ownerUrl, await accessOf(place)) };
}

function leftRunning(ownerUrl: string): Server {
  return { ownerUrl, stop: async () => undefined };
}

function explain(url: string, error: unknown): Fault {
  return new Fault(
    `The database of DATABASE_URL could not be prepared: ${withoutPassword(messageOf(error), url)}\n` +
      "Check that the server runs, that it is PostgreSQL 15 or newer, and that the user may create tables.",
  );
}

/** Node wraps the refusals of a name with several addresses into one error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

function withoutPassword(message: string, url: string): string {
  const { password } = new URL(url);
  return password === ""
    ? message
    : message.replaceAll(password, "***").replaceAll(decodeURIComponent(password), "***");
}
