import { Client } from "pg";

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates `name` unless it is there, empty or as a copy of `template`. `url` is of any other database of the same
 * server.
 */
export function ensureDatabase(url: string, name: string, template = "template0"): Promise<void> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount) return;
    await client.query(
      `CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${client.escapeIdentifier(template)}`,
    );
  });
}

/** Drops `name`, ending whatever is still connected to it, and the users that were made for it. */
export function dropDatabase(url: string, name: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${rolesOf(name).map(client.escapeIdentifier).join(", ")}`);
  });
}

/** PostgreSQL cuts longer names off (manual §4.1.1, NAMEDATALEN), and two could become one. */
const LONGEST_NAME = 63;

/**
 * The users that are made for a database: that of web and worker, and the one that it enters for work across
 * organizations.
 */
export function rolesOf(database: string): [runtime: string, across: string] {
  const runtime = `${database.slice(0, LONGEST_NAME - "_runtime_across".length)}_runtime`;
  return [runtime, acrossOf(runtime)];
}

export function acrossOf(runtime: string): string {
  return `${runtime}_across`;
}

/** The same server, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
