import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { env, requireSetting } from "@/lib/env";
import { log } from "@/lib/log";
import { findMissing } from "@/lib/observability/readiness";
import { assertSecretIsKnown } from "@/scripts/postgres/app-secret";
import {
  isRefusedUnencrypted,
  isTlsFault,
  messageOf,
  RULES_AND_TLS,
  TLS_SETTINGS,
  withoutPassword,
} from "@/scripts/postgres/explain-failure";
import { Fault, REFUSAL_EXIT_CODE } from "@/scripts/service/fault";

const BYPASSES_POLICIES = `
  SELECT EXISTS (
    SELECT FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
      AND (rolsuper OR rolbypassrls
        OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace))
  ) AS "bypassesPolicies"`;

const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

/**
 * Ends web or worker if its database is not safe with it: if row-level security may not apply to its user (the owner,
 * or any user who is or can become one that bypasses it, by SET ROLE), or if the database belongs to a service with
 * another APP_SECRET. While the database is unreachable, tries again after `retryMs` milliseconds, and ever more; until
 * then the process serves no requests. A worker waits for its release's migrations, too: on the schema before them its
 * jobs would fail. Web tells its balancer instead (`/api/health/ready`).
 */
export async function refuseUnsafeDatabase({ retryMs = RETRY_MS, needsMigrations = false } = {}): Promise<void> {
  for (let waitMs = retryMs; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
    try {
      await assertHasTables();
      await assertUserIsBound();
      await assertHasRights();
      if (needsMigrations) await assertIsMigrated();
      return await assertSecretIsKnown(pool(), { secrets: [requireSetting("APP_SECRET"), ...env.APP_SECRET_PREVIOUS] });
    } catch (error) {
      if (error instanceof Fault) return endWith(error);
      const reason = withoutPassword(messageOf(error), requireSetting("DATABASE_URL"));
      log.warn({ reason }, `${adviceFor(error)}; trying again`);
      await setTimeout(waitMs);
    }
  }
}

/** Invalid authorization, and a database that there is not (PostgreSQL, appendix A). */
const REFUSED = /^(?:28|3D)/;

/** A new database, one that is being prepared, or one that was prepared for another user. */
class NotPrepared extends Error {}

async function assertHasTables(): Promise<void> {
  const { rows } = await pool().query<{ table: string | null }>(`SELECT to_regclass('connections')::text AS "table"`);
  if (rows[0]?.table == null) throw new NotPrepared("it has no tables");
}

async function assertHasRights(): Promise<void> {
  const { rows } = await pool().query<{ has: boolean }>("SELECT has_table_privilege('organizations', 'SELECT') AS has");
  if (!rows[0]?.has) throw new NotPrepared("its user has no rights there");
}

async function assertIsMigrated(): Promise<void> {
  const missing = await findMissing();
  if (missing === null) throw new Error("its migrations could not be read");
  if (missing.length > 0) throw new NotPrepared("it lacks migrations of this release");
}

function adviceFor(error: unknown): string {
  if (error instanceof NotPrepared)
    return (
      "the database of DATABASE_URL is not prepared for its user. Run `node dist/prepare-database.js` as its owner, " +
      "with this address as DATABASE_RUNTIME_URL (docs/deploy.md)"
    );
  if (isTlsFault(error)) return `TLS to the database of DATABASE_URL fails. Check ${TLS_SETTINGS}`;
  if (isRefusedUnencrypted(error)) return `the database of DATABASE_URL refuses the connection. Check ${RULES_AND_TLS}`;
  // What the pool throws has PostgreSQL's refusal as its cause.
  const code = postgresCode(error) ?? postgresCode((error as Error).cause) ?? "";
  return REFUSED.test(code)
    ? "the database of DATABASE_URL refuses the connection. Check the user, the password and the database in it"
    : "no answer from the database of DATABASE_URL";
}

function endWith({ message }: Fault): never {
  log.fatal(message);
  process.exit(REFUSAL_EXIT_CODE);
}

async function assertUserIsBound(): Promise<void> {
  const { rows } = await pool().query<{ bypassesPolicies: boolean }>(BYPASSES_POLICIES);
  if (rows[0]?.bypassesPolicies === false) return;
  throw new Fault(
    "The user of DATABASE_URL owns the tables or may see every row. Web and worker need a user who may not. " +
      "The preparation creates one, or that of DATABASE_RUNTIME_URL; see .env.example.",
  );
}
