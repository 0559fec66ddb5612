import { join } from "node:path";

import { startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { applyMigrations } from "@/scripts/postgres/schema-engine";
import { Fault } from "@/scripts/service/fault";

export interface Database {
  url: string;
  stop(): Promise<void>;
}

/** The database of DATABASE_URL, or the embedded server's, started; with every migration applied. */
export async function openDatabase(dataDir: string, say: (line: string) => void): Promise<Database> {
  const given = process.env.DATABASE_URL;
  const database = given ? { url: given, stop: async () => undefined } : await openEmbedded(dataDir, say);
  try {
    const applied = await applyMigrations(database.url);
    if (applied.length > 0) say(`Database prepared (${applied.join(", ")}).`);
  } catch (error) {
    await database.stop();
    throw given ? explain(error) : error;
  }
  return database;
}

async function openEmbedded(dataDir: string, say: (line: string) => void): Promise<Database> {
  const cluster = await startCluster(join(dataDir, "postgres"), { flags: ["max_connections=200", "shared_buffers=256MB"], say });
  await ensureDatabase(cluster.url("postgres"), "crm");
  return { url: cluster.url("crm"), stop: async () => (cluster.owned ? cluster.stop() : undefined) };
}

function explain(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  return new Fault(
    `The database of DATABASE_URL could not be prepared: ${message}\nCheck that the server runs, that it is PostgreSQL 15 or newer, and that the user may create tables.`,
  );
}
