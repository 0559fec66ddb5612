import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";
import { env, requireSetting } from "@/lib/env";
import { log } from "@/lib/log";
import { assertSecretIsKnown } from "@/scripts/postgres/app-secret";
import { Fault } from "@/scripts/service/fault";

const BYPASSES_POLICIES = `
  SELECT EXISTS (
    SELECT FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
      AND (rolsuper OR rolbypassrls
        OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace))
  ) AS "bypassesPolicies"`;

const RETRY_MS = 1000;

/**
 * Ends web or worker if its database is not safe with it: if row-level security may not apply to its user (the owner,
 * or any user who is or can become one that bypasses it, by SET ROLE), or if the database belongs to a service with
 * another APP_SECRET. While the database is unreachable, tries again every `retryMs` milliseconds; until then the
 * process serves no requests.
 */
export async function refuseUnsafeDatabase(retryMs = RETRY_MS): Promise<void> {
  for (;;) {
    try {
      await assertUserIsBound();
      return await assertSecretIsKnown(pool(), { secrets: [requireSetting("APP_SECRET"), ...env.APP_SECRET_PREVIOUS] });
    } catch (error) {
      if (error instanceof Fault) return endWith(error);
      log.warn({ err: error }, "could not check the database; trying again");
      await setTimeout(retryMs);
    }
  }
}

function endWith({ message }: Fault): never {
  log.fatal(message);
  process.exit(1);
}

async function assertUserIsBound(): Promise<void> {
  const { rows } = await pool().query<{ bypassesPolicies: boolean }>(BYPASSES_POLICIES);
  if (rows[0]?.bypassesPolicies === false) return;
  throw new Fault(
    "The user of DATABASE_URL owns the tables or may see every row. Web and worker need a user who may not. " +
      "`npm start` creates one; see .env.example.",
  );
}
