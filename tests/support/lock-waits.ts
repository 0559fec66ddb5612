import { expect } from "vitest";

import { pool } from "@/tests/support/owner";

const WAITING = `SELECT count(*)::int FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;

/** How many statements of this database wait for a lock of another transaction. `pattern`: of those LIKE this. */
export async function lockWaits(pattern = "%"): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(WAITING, [pattern]);
  return rows[0]?.count ?? 0;
}

/** Waits until so many statements wait for a lock of another transaction. */
export async function untilLockWaits(count: number, pattern?: string): Promise<void> {
  await expect.poll(() => lockWaits(pattern)).toBe(count);
}
