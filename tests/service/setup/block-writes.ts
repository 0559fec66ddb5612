import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";

/** Deliveries before webhooks, as attempts are recorded. No operation writes the last ones together with others. */
const TABLES = [
  "events",
  "migrations",
  "migration_conflicts",
  "connections",
  "connection_attempts",
  "deleted_records",
  "webhook_deliveries",
  "webhooks",
  "users",
  "duplicate_searches",
  "migration_proofs",
];
const CLAIMED_TIMEOUT_MS = 20_000;
const CLAIMED = `SELECT FROM idempotency_keys WHERE organization_id = $1 AND status IS NULL AND leased_until > now()`;

/** Writes that wait until they are released. Reads continue. */
export interface BlockedWrites {
  /** Resolves when the organization has a request with an idempotency key in flight. */
  untilClaimed: (organizationId: string) => Promise<void>;
  release: () => Promise<void>;
}

/** Blocks every change of a record, migration, webhook or member, every search and proof, in the service's database. */
export async function blockWrites(): Promise<BlockedWrites> {
  const client = new Client({ connectionString: process.env.DATABASE_OWNER_URL });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${TABLES.join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
  const release = async () => {
    await client.query("ROLLBACK");
    await client.end();
  };
  return {
    untilClaimed: async (organizationId) => {
      const deadline = Date.now() + CLAIMED_TIMEOUT_MS;
      while ((await client.query(CLAIMED, [organizationId])).rowCount === 0) {
        if (Date.now() > deadline) {
          // Otherwise whoever writes after this test would wait for ever.
          await release();
          throw new Error("No request with an idempotency key came to be under way.");
        }
        await pause(10);
      }
    },
    release,
  };
}
