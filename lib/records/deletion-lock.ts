import type { PoolClient } from "pg";

const KEY = "hashtextextended('deletions ' || $1, 0)";

/** Nobody else deletes records of the organization until the transaction ends, and whoever has begun to has ended. The next statement sees what is gone. */
export async function holdOffDeletions(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${KEY})`, [organizationId]);
}

/** Waits until nobody holds deletions off. The first statement of a deletion, so that it holds nothing while it waits; others delete meanwhile. */
export async function enterDeletion(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(${KEY})`, [organizationId]);
}
