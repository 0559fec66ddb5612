import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/pipeline/store-locked";
import { numberThreadsOf } from "@/lib/migration/pipeline/number-entries";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import type { RunSession } from "@/lib/migration/pipeline/run-session";

/** Threads per transaction: others wait for the entries that it numbers. */
const CASES_PER_TRANSACTION = 2000;

const EVERY_CASE = `SELECT id FROM cases WHERE organization_id = $1 AND id > $2 ORDER BY id
  LIMIT ${CASES_PER_TRANSACTION}`;

/** Those with new entries, also of an earlier run that was stopped before it numbered them. */
const WITH_NEW_ENTRIES = `SELECT DISTINCT case_id AS id FROM case_comments
  WHERE organization_id = $1 AND position = 0 AND case_id > $2 ORDER BY case_id LIMIT ${CASES_PER_TRANSACTION}`;

/**
 * Numbers the thread of every case from 1 by time. Entries of the same moment are numbered in the order of their source
 * ids. A delta numbers the threads with entries that are new there: a thread that only lost some keeps its order.
 * Repeated, it changes nothing. Stops when `lock` fails.
 */
export async function numberThreads(session: RunSession, lock: LockProgress): Promise<void> {
  for (let after: string | undefined = MIN_UUID; after !== undefined;)
    after = await retriedTransaction((client) => numberSome(client, session, after ?? MIN_UUID, lock));
}

/** Numbers the threads of some cases. The id of the last of them; undefined: there is none, or the lock failed. */
async function numberSome(
  client: PoolClient,
  { run, kind }: RunSession,
  after: string,
  lock: LockProgress,
): Promise<string | undefined> {
  await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
  if (!(await lock(client))) return undefined;
  const find = kind === "delta" ? WITH_NEW_ENTRIES : EVERY_CASE;
  const cases = await client.query<{ id: string }>(find, [run.organizationId, after]);
  const ids = cases.rows.map(({ id }) => id);
  if (ids.length === 0) return undefined;
  await numberThreadsOf(client, run, ids);
  return ids.at(-1);
}
