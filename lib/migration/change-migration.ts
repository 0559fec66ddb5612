import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { answeringTransaction } from "@/lib/database/transactions";
import { findMigration } from "@/lib/migration/find-migration";
import type { Migration, MigrationKey } from "@/lib/migration/migration-schema";
import { migrationKey } from "@/lib/migration/migration-key";

/**
 * Does the work of an operation on a migration in one transaction, and returns the migration as it is then, which the
 * transaction also keeps as the answer to a repeat. If a job of the work waits for an engine that is away, which is
 * known only after the commit, it returns the migration that says so. Throws as {@link answeringTransaction} does, and
 * `not_found` for what is no id.
 */
export async function changeMigration(
  context: Context,
  migrationId: string,
  work: (client: PoolClient, key: MigrationKey) => Promise<void>,
): Promise<Migration> {
  const key = migrationKey(context, migrationId);
  const { organizationId } = context;
  const changed = await answeringTransaction(context, async (client) => {
    await work(client, key);
    return findMigration(organizationId, migrationId, client);
  });
  const committed = await findMigration(organizationId, migrationId);
  return committed.waiting ? committed : changed;
}
