import { setTimeout } from "node:timers/promises";

import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";

const IS_FREE = `
  SELECT EXISTS (
    SELECT FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
      AND (rolsuper OR rolbypassrls OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace))) AS "isFree"`;

const PAUSE_MS = 1000;

/**
 * Ends web or worker when it was given the address of the database's owner, or of anybody for whom row-level security
 * may not count, by what they are or may become with SET ROLE. While the database is away nothing is known, so this
 * waits for its answer, every `pauseMs` milliseconds, and the process serves nobody.
 */
export async function refuseOwner(pauseMs = PAUSE_MS): Promise<void> {
  if (!(await isFree(pauseMs))) return;
  log.fatal(
    "DATABASE_URL is of a user who owns the tables or may see every row. `npm start` gives web and worker one who " +
      "may not; see .env.example.",
  );
  process.exit(1);
}

async function isFree(pauseMs: number): Promise<boolean> {
  for (;;) {
    try {
      return (await pool().query<{ isFree: boolean }>(IS_FREE)).rows[0]?.isFree !== false;
    } catch (error) {
      log.warn({ err: error }, "could not find out who the user of the database is; trying again");
      await setTimeout(pauseMs);
    }
  }
}
