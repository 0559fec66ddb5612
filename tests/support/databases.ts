import { rolesOf, withClient } from "@/scripts/postgres/databases";

/** Drops the database `name`, ends its connections, and drops the users created for it. */
export function dropDatabase(url: string, name: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${rolesOf(name).map(client.escapeIdentifier).join(", ")}`);
  });
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
