import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { withoutMirror } from "@/lib/migration/pipeline/load/feed-mirrors";
import { addCounts, forgetIssues, subtractLeftOut } from "@/lib/migration/pipeline/object-counts";
import { storeLocked } from "@/lib/migration/pipeline/store-locked";
import { storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import { numberThreadsWith } from "@/lib/migration/pipeline/number-threads";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { readOutcomes } from "@/lib/migration/pipeline/read/read-outcomes";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/**
 * Posts that this run left out because they show a record of an object ($3, by its key prefix $4) that was yet to come,
 * and that has not: it failed, or cannot be read. What was skipped or deleted here is not to come as a post either.
 */
const FIND = `
  SELECT i.ext_id FROM migration_record_issues i
  JOIN migration_objects o ON o.organization_id = $1 AND o.migration_id = $2 AND o.object = 'FeedItem'
  WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = 'FeedItem' AND i.code = 'mirrored_in_feed'
    AND i.created_at >= o.started_at AND starts_with(i.value, $4) AND i.ext_id > $5
    AND NOT EXISTS (SELECT FROM activities r WHERE r.organization_id = $1 AND r.ext_id = i.value)
    AND NOT EXISTS (SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = i.value)
    AND NOT EXISTS (
      SELECT FROM deleted_records d WHERE d.organization_id = $1 AND d.resource = 'activities' AND d.ext_id = i.value)
    AND NOT EXISTS (
      SELECT FROM migration_record_issues own WHERE own.organization_id = $1 AND own.migration_id = $2
        AND own.object = $3 AND own.ext_id = i.value AND own.outcome = 'skipped' AND own.code <> 'gone_in_source')
  ORDER BY i.ext_id LIMIT ${IDS_PER_QUERY}`;

/**
 * Stores the posts that were left out for the tasks or events of an object that has now been read, and have become the
 * only trace of them (docs/decisions/0044-feeds-in-threads.md). What it has stored it does not find again. False: the
 * deadline or the limit of API requests has come, or the run was stopped.
 */
export async function storeAwaitingPosts(
  session: RunSession,
  object: SourceObjectName,
  { deadline, lock }: { deadline: number; lock: LockProgress },
): Promise<boolean> {
  if (object !== "Task" && object !== "Event") return true;
  const { organizationId, migrationId } = session.run;
  for (let after: string | undefined = ""; ;) {
    const values: unknown[] = [organizationId, migrationId, object, KEY_PREFIXES[object], after];
    const ids = await retriedTransaction(async (client) => {
      await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
      return (await client.query<{ ext_id: string }>(FIND, values)).rows.map(({ ext_id }) => ext_id);
    });
    after = ids.at(-1);
    if (after === undefined) return true;
    if (!(await storePosts(session, ids, lock))) return false;
    if (performance.now() >= deadline || isLimitReached(session.api)) return false;
  }
}

const FEED: SourceObjectName = "FeedItem";

/** Replaces why posts were left out by what becomes of them now. Their threads are numbered already. False: stopped. */
async function storePosts(session: RunSession, ids: readonly string[], lock: LockProgress): Promise<boolean> {
  const { run, configuration: choices } = session;
  const plan = await planOf(session, FEED);
  const outcomes: Outcome[] = (await readOutcomes(session, plan, ids)).map(withoutMirror);
  const stored = await storeLocked({ run, choices }, lock, async (client: PoolClient) => {
    const before = await forgetIssues(client, run, FEED, ids);
    const { size, ...counts } = await storeOutcomes({ client, run, plan, choices }, outcomes, null);
    await addCounts(client, run, FEED, { last: null }, subtractLeftOut(counts, before));
    await numberThreadsWith(client, run, ids, { numberedOnly: false });
    return { size };
  });
  return stored !== null;
}
