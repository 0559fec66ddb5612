import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import type { ObjectEnd, RunSession } from "@/lib/migration/pipeline/run-session";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { inLockOrder } from "@/lib/records/write/lock-records";
import { LOCK_CASES } from "@/lib/records/write/service-fields";
import { RAISE_UNEDITED } from "@/lib/records/write/store-records";

/** SQL: the entries of some cases with their present positions, and those that follow from their times. */
const numberedOf = (cases: string): string => `
  SELECT id, case_id, position AS present,
    row_number() OVER (PARTITION BY case_id ORDER BY created_at, ext_id COLLATE "C", id) AS position
  FROM case_comments WHERE organization_id = $1 AND case_id = ANY (${cases}::uuid[])`;

/** A new entry keeps the time of its last change in the source. */
const NUMBER = `WITH stored AS (
    UPDATE case_comments AS c SET position = numbered.position, ${RAISE_UNEDITED},
      updated_at = CASE WHEN c.position = 0 THEN c.updated_at ELSE now() END
    FROM (${numberedOf("$3")}) AS numbered
    WHERE c.organization_id = $1 AND c.id = numbered.id AND c.case_id = numbered.case_id
      AND c.position <> numbered.position
    RETURNING c.id, c.version, c.migration_id, false AS inserted
  ), ${keepBefore("case_comments", { overwrites: false }, "$2")}
  SELECT ${RACED}`;

/** Numbers the threads of these cases. */
export async function numberThreadsOf(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  caseIds: readonly string[],
): Promise<void> {
  // A comment that somebody adds gets its position under the same lock.
  await client.query(LOCK_CASES, [organizationId, inLockOrder(caseIds)]);
  const { rows } = await client.query<{ raced: boolean }>(NUMBER, [organizationId, migrationId, caseIds]);
  assertNotRaced(rows[0]);
}

/** SQL: whether entries of the thread of `t` have their positions already. */
const IS_NUMBERED = `EXISTS (SELECT FROM case_comments n
  WHERE n.organization_id = $1 AND n.case_id = t.case_id AND n.position > 0)`;

/**
 * Numbers the threads that these source records are new in. `numberedOnly`: those alone whose other entries have their
 * positions, so that nobody reads a new entry as the first of its thread until all of the object is read.
 */
export async function numberThreadsWith(
  client: PoolClient,
  key: MigrationKey,
  extIds: readonly string[],
  { numberedOnly }: { numberedOnly: boolean },
): Promise<void> {
  const { rows } = await client.query<{ case_id: string }>(
    `SELECT DISTINCT t.case_id FROM case_comments t
     WHERE t.organization_id = $1 AND t.ext_id = ANY ($2::text[]) AND t.position = 0
       ${numberedOnly ? `AND ${IS_NUMBERED}` : ""}`,
    [key.organizationId, extIds],
  );
  if (rows.length === 0) return;
  await numberThreadsOf(
    client,
    key,
    rows.map((row) => row.case_id),
  );
}

/** Those of some cases that are to be numbered. The others need no lock. */
const TO_NUMBER = `SELECT DISTINCT case_id AS id FROM (${numberedOf("$2")}) AS numbered WHERE present <> position`;

/** Threads per transaction: others wait for the cases and entries of those that it numbers. */
const CASES_PER_TRANSACTION = 2000;

const EVERY_CASE = `SELECT id FROM cases WHERE organization_id = $1 AND id > $2 ORDER BY id
  LIMIT ${CASES_PER_TRANSACTION}`;

/** Those with new entries, also of an earlier run that was stopped before it numbered them. */
const WITH_NEW_ENTRIES = `SELECT DISTINCT case_id AS id FROM case_comments
  WHERE organization_id = $1 AND position = 0 AND case_id > $2 ORDER BY case_id LIMIT ${CASES_PER_TRANSACTION}`;

/**
 * Numbers the thread of every case from 1 by time. Entries of the same moment are numbered in the order of their source
 * ids. A delta numbers the threads with entries that are new there: a thread that only lost some keeps its order.
 * Repeated, it changes nothing. Stops when `lock` fails. False: `deadline` has come, and `end` has the case to go on
 * with.
 */
export async function numberThreads(
  session: RunSession,
  lock: LockProgress,
  deadline = Infinity,
  end: Pick<ObjectEnd, "numbered"> = { numbered: MIN_UUID },
): Promise<boolean> {
  for (;;) {
    const last = await retriedTransaction((client) => numberSome(client, session, end.numbered, lock));
    if (last === undefined) return true;
    end.numbered = last;
    if (performance.now() >= deadline) return false;
  }
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
  const wrong = await client.query<{ id: string }>(TO_NUMBER, [run.organizationId, ids]);
  const caseIds = wrong.rows.map(({ id }) => id);
  if (caseIds.length > 0) await numberThreadsOf(client, run, caseIds);
  return ids.at(-1);
}
