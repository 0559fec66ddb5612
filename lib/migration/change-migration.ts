import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { answeringTransaction } from "@/lib/database/answering-transaction";
import { findMigration } from "@/lib/migration/find-migration";
import type { Migration } from "@/lib/migration/migration-schema";

/**
 * Does the work of an operation on a migration in one transaction, which keeps the migration as it is then as the answer
 * to a repeat. Returns the migration as it is after the commit, when jobs may wait for an engine that is away. Throws
 * what `work` throws.
 */
export async function changeMigration(
  context: Context,
  migrationId: string,
  work: (client: PoolClient) => Promise<void>,
): Promise<Migration> {
  const { organizationId } = context;
  await answeringTransaction(context, async (client) => {
    await work(client);
    return findMigration(organizationId, migrationId, client);
  });
  return findMigration(organizationId, migrationId);
}
