import type { Pool } from "pg";

import type { RunKey } from "@/lib/migration/pipeline/run-key";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime } from "@/lib/salesforce/soql";

/** What a run reads and counts: see {@link conditionsOf}. */
export interface Window {
  until: Date;
}

/**
 * Everything created before `until`, archived records included, and of the deleted records those that were still there then. People may
 * go on creating and deleting in the source meanwhile, and the sums still close.
 */
export function conditionsOf({ until }: Window): string[] {
  const moment = soqlDateTime(until);
  return [`CreatedDate < ${moment}`, `(IsDeleted = false OR SystemModstamp >= ${moment})`];
}

/** The moment that the run reads up to, fixed once per run, by the clock of the source, since that is what stamps its records. */
export async function fixWindow(client: SalesforceClient, pool: Pool, run: RunKey): Promise<Window> {
  const owned = [run.organizationId, run.migrationId, run.runNumber];
  const found = await pool.query<{ read_until: Date | null }>(
    `SELECT read_until FROM migrations WHERE organization_id = $1 AND id = $2 AND run_number = $3`,
    owned,
  );
  const fixed = found.rows[0]?.read_until;
  if (fixed) return { until: fixed };
  const now = await sourceClock(client);
  const set = await pool.query<{ read_until: Date }>(
    `UPDATE migrations SET read_until = coalesce(read_until, $4) WHERE organization_id = $1 AND id = $2 AND run_number = $3 RETURNING read_until`,
    [...owned, now],
  );
  return { until: set.rows[0]?.read_until ?? now };
}

/** The source's own time to the second, from the Date header of an answer (RFC 9110 §6.6.1). */
async function sourceClock(client: SalesforceClient): Promise<Date> {
  const { headers } = await client.request(client.dataPath);
  const time = Date.parse(headers.get("date") ?? "");
  return new Date(Number.isNaN(time) ? Math.floor(Date.now() / 1000) * 1000 : time);
}
