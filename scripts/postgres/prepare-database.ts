import { Logger, runMigrations } from "graphile-worker";

import { type Access, secureDatabase } from "@/scripts/postgres/row-level-security";
import { applyMigrations } from "@/scripts/postgres/schema-engine";

interface Prepared {
  /** The migrations that were applied. */
  applied: string[];
  /** The address with which web and worker connect. */
  runtimeUrl: string;
}

/**
 * Brings a database to the state that this release needs, as its owner: our tables, the queue's, users and privileges.
 * Throws Fault.
 */
export async function prepareDatabase(ownerUrl: string, access: Access): Promise<Prepared> {
  const applied = await applyMigrations(ownerUrl);
  await runMigrations({ connectionString: ownerUrl, logger: new Logger(() => () => undefined) });
  return { applied, runtimeUrl: await secureDatabase(ownerUrl, access) };
}
