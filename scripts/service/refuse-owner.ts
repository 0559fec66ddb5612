import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";

const BYPASSES_POLICIES = `
  SELECT EXISTS (
    SELECT FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
      AND (rolsuper OR rolbypassrls
        OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace))
  ) AS "bypassesPolicies"`;

const RETRY_MS = 1000;

/**
 * Ends web or worker if row-level security may not apply to its database user: the owner, or any user who is or can
 * become one (SET ROLE) that bypasses it. While the database is unreachable, tries again every `retryMs` milliseconds;
 * until then the process serves no requests.
 */
export async function refuseOwner(retryMs = RETRY_MS): Promise<void> {
  if (!(await bypassesPolicies(retryMs))) return;
  log.fatal(
    "The user of DATABASE_URL owns the tables or may see every row. Web and worker need a user who may not. " +
      "`npm start` creates one; see .env.example.",
  );
  process.exit(1);
}

async function bypassesPolicies(retryMs: number): Promise<boolean> {
  for (;;) {
    try {
      return (await pool().query<{ bypassesPolicies: boolean }>(BYPASSES_POLICIES)).rows[0]?.bypassesPolicies !== false;
    } catch (error) {
      log.warn({ err: error }, "could not check the privileges of the database user; trying again");
      await setTimeout(retryMs);
    }
  }
}
