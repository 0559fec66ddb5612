import { Logger, runMigrations } from "graphile-worker";
import type { Client } from "pg";

import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";
import { assertSecretIsKnown } from "@/scripts/postgres/app-secret";
import { forgetInterrupted, hasMigrationRecords } from "@/scripts/postgres/apply-script";
import { withClient } from "@/scripts/postgres/databases";
import { assertFormerUsersUnused } from "@/scripts/postgres/former-users";
import { type Access, runtimeUrlOf, secureDatabase } from "@/scripts/postgres/row-level-security";
import { Fault } from "@/scripts/service/fault";

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
  await assertFormerUsersUnused(ownerUrl, await runtimeUrlOf(ownerUrl, access));
  const applied = await applyMissing(ownerUrl, access);
  await runMigrations({ connectionString: ownerUrl, logger: new Logger(() => () => undefined) });
  return { applied, runtimeUrl: await secureDatabase(ownerUrl, access) };
}

/** Applies the migrations that are missing. The engine is loaded for those alone: that takes longer than to ask. */
async function applyMissing(ownerUrl: string, access: Access): Promise<string[]> {
  if (await isUpToDate(ownerUrl, access)) return [];
  const { applyMigrations } = await import("@/scripts/postgres/schema-engine");
  return applyMigrations(ownerUrl);
}

const RECORDED = `
  SELECT migration_name AS name, finished_at IS NOT NULL AS "isApplied" FROM _prisma_migrations
  WHERE rolled_back_at IS NULL`;

/**
 * Whether the database has every migration of this release. Those that failed or were interrupted are forgotten. Throws
 * Fault if it belongs to another user, or to a service with another secret.
 */
function isUpToDate(ownerUrl: string, access: Access): Promise<boolean> {
  return withClient(ownerUrl, async (owner) => {
    if (!(await hasMigrationRecords(owner))) return false;
    await assertOwnsTables(owner);
    await assertSecretIsKnown(owner, access);
    const recorded = async () => (await owner.query<{ name: string; isApplied: boolean }>(RECORDED)).rows;
    if ((await recorded()).some(({ isApplied }) => !isApplied)) await forgetInterrupted(owner);
    const applied = new Set((await recorded()).filter(({ isApplied }) => isApplied).map(({ name }) => name));
    return RELEASE_MIGRATIONS.every((name) => applied.has(name));
  });
}

const FOREIGN = `
  SELECT tableowner AS owner, current_user AS user FROM pg_tables
  WHERE schemaname = 'public' AND tablename = '_prisma_migrations' AND NOT pg_has_role(tableowner, 'USAGE')`;

async function assertOwnsTables(client: Client): Promise<void> {
  const [foreign] = (await client.query<{ owner: string; user: string }>(FOREIGN)).rows;
  if (foreign)
    throw new Fault(
      `The user of DATABASE_URL, ${foreign.user}, does not own the tables. Set DATABASE_URL to the address with ` +
        `their owner, ${foreign.owner}. Web and worker have another user, who may not change the tables.`,
    );
}
