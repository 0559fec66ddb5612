import { Client } from "pg";

/** Connects, works, and closes the connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates the database `name` if it is missing, empty or as a copy of `template`. `url` is that of another database on
 * the server.
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

/** The schema of the job engine. */
export const ENGINE = "graphile_worker";

/** The code of PostgreSQL's refusal when a privilege is missing (insufficient_privilege; manual, appendix A). */
export const NOT_ALLOWED = "42501";

/** PostgreSQL truncates longer names (manual §4.1.1, NAMEDATALEN), so that two could become one. */
const MAX_NAME_LENGTH = 63;

/**
 * The users created for a database: that of web and worker, and the one that it switches to for work across
 * organizations.
 */
export function rolesOf(database: string): [runtime: string, across: string] {
  const runtime = `${database.slice(0, MAX_NAME_LENGTH - "_runtime_across".length)}_runtime`;
  return [runtime, acrossOf(runtime)];
}

/** The database that an address names. */
export function databaseOf(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1));
}

export function acrossOf(runtime: string): string {
  return `${runtime}_across`;
}
