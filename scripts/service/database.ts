import { join } from "node:path";

import { attachCluster, startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { applyMigrations } from "@/scripts/postgres/schema-engine";
import { Fault } from "@/scripts/service/fault";

export interface Database {
  url: string;
  stop(): Promise<void>;
}

/** What a database is opened with: the server of DATABASE_URL if given, else the embedded one of the data folder, which the caller has locked. */
interface Place {
  databaseUrl: string | undefined;
  dataDir: string;
}

const FLAGS = ["max_connections=200", "shared_buffers=256MB"];
const NAME = "crm";

/** The database, its server started if it is the embedded one, with every migration applied. An abort leaves nothing running. */
export async function openDatabase(place: Place, say: (line: string) => void, asked?: AbortSignal): Promise<Database> {
  const database = place.databaseUrl ? leftRunning(place.databaseUrl) : await startEmbedded(place.dataDir, say, asked);
  try {
    const applied = await applyMigrations(database.url);
    if (applied.length > 0) say(`Database prepared (${applied.join(", ")}).`);
    asked?.throwIfAborted();
    return database;
  } catch (error) {
    await database.stop();
    throw place.databaseUrl && !asked?.aborted ? explain(place.databaseUrl, error) : error;
  }
}

async function startEmbedded(dataDir: string, say: (line: string) => void, asked?: AbortSignal): Promise<Database> {
  const cluster = await startCluster(join(dataDir, "postgres"), { flags: FLAGS, say, ...(asked && { asked }) });
  try {
    await ensureDatabase(cluster.url("postgres"), NAME);
    return { url: cluster.url(NAME), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** The database of a running service, which goes on running. Undefined when its embedded server does not take connections yet, or any more. */
export async function attachDatabase({ databaseUrl, dataDir }: Place): Promise<Database | undefined> {
  const url = databaseUrl ?? (await attachCluster(join(dataDir, "postgres")))?.url(NAME);
  return url === undefined ? undefined : leftRunning(url);
}

function leftRunning(url: string): Database {
  return { url, stop: async () => undefined };
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
  return password === "" ? message : message.replaceAll(password, "***").replaceAll(decodeURIComponent(password), "***");
}
