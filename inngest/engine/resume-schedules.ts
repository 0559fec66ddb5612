import { pool } from "@/lib/database/db";

/**
 * Lets schedules go on after the clock of a worker's machine was ahead: graphile-worker queues nothing until the time
 * of the last execution has come again.
 */
export async function resumeSchedules(): Promise<void> {
  await pool().query(
    `update graphile_worker._private_known_crontabs set last_execution = now()
     where last_execution > now() + interval '2 hours'`,
  );
}
