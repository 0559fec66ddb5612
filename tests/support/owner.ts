import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolClient } from "pg";

import { PrismaClient } from "@/lib/generated/prisma/client";

let opened: { pool: Pool; prisma: PrismaClient } | undefined;

function owner(): { pool: Pool; prisma: PrismaClient } {
  if (opened) return opened;
  const connections = new Pool({
    connectionString: process.env.DATABASE_OWNER_URL,
    application_name: "crm tests",
    max: 20,
  });
  connections.on("error", () => undefined);
  connections.on("connect", (client) => client.on("error", () => undefined));
  return (opened = {
    pool: connections,
    prisma: new PrismaClient({ adapter: new PrismaPg(connections, { disposeExternalPool: false }) }),
  });
}

/** Connections of the database's owner, a superuser, for tests that look or write across organizations. */
export function pool(): Pool {
  return owner().pool;
}

/** Prisma over {@link pool}. */
export function prisma(): PrismaClient {
  return owner().prisma;
}

/** One transaction over {@link pool}. */
export async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

/** Closes the suite's connections. */
export async function closeOwner(): Promise<void> {
  await opened?.prisma.$disconnect();
  await opened?.pool.end();
  opened = undefined;
}
