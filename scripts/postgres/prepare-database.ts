import { Logger, runMigrations } from "graphile-worker";

import { type Access, protect } from "@/scripts/postgres/row-level-security";
import { applyMigrations } from "@/scripts/postgres/schema-engine";

interface Prepared {
  /** The migrations that it lacked. */
  applied: string[];
  /** With which web and worker connect. */
  runtimeUrl: string;
}

/**
 * Brings a database to where this release works with it, as the user who owns it: our tables, the queue's, and who may
 * do what to them. Throws Fault.
 */
export async function prepareDatabase(ownerUrl: string, access: Access): Promise<Prepared> {
  const applied = await applyMigrations(ownerUrl);
  await runMigrations({ connectionString: ownerUrl, logger: new Logger(() => () => undefined) });
  return { applied, runtimeUrl: await protect(ownerUrl, access) };
}
