import type { PoolClient } from "pg";

import { ACCOUNTED_FOR } from "@/lib/migration/pipeline/finish-run";
import { linkAndTell, linkOwnKind } from "@/lib/migration/pipeline/link-own-kind";
import { selectedObjects } from "@/lib/migration/pipeline/lines";
import { numberThreads } from "@/lib/migration/pipeline/number-threads";
import { refreshStatistics } from "@/lib/migration/pipeline/refresh-statistics";
import { holdsLine } from "@/lib/migration/pipeline/run-key";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { countWindow } from "@/lib/migration/pipeline/count-window";
import type { MigratedObjectName } from "@/lib/migration/schemas";
import { finishAfter } from "@/lib/migration/stages";
import { retriedTransaction } from "@/lib/retried-transaction";

/**
 * Ends an object whose records are all in: does what its stage still needs, counts the source again, and compares. The object is `done`
 * only if its sum closes, else `failed`. Nothing happens when the run was stopped or overtaken meanwhile.
 */
export async function finishObject(session: RunSession, object: MigratedObjectName, checkpoint: string | null): Promise<void> {
  const { run } = session;
  const finish = finishAfter(object, await selectedObjects(run));
  const plan = await planOf(session, object);
  await refreshStatistics(plan);
  const source = await countWindow(session.client, object, session.window);
  const holds = (client: PoolClient) => holdsLine(client, run, object, checkpoint);
  const tells = session.configuration.send_events;
  if (finish === "link_to_own_kind" && tells) await linkAndTell(plan.main, run.organizationId, holds);
  await retriedTransaction(async (client) => {
    if (!(await holds(client))) return;
    if (finish === "link_to_own_kind" && !tells) await linkOwnKind(client, plan.main, run.organizationId);
    if (finish === "number_threads") await numberThreads(client, run.organizationId);
    await closeLine(client, session, object, source);
  });
}

async function closeLine(client: PoolClient, { run }: RunSession, object: MigratedObjectName, source: number): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET source = $4, finished_at = now(),
       status = CASE WHEN ${ACCOUNTED_FOR} = $4 THEN 'done' ELSE 'failed' END::migration_object_status
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object, source],
  );
}
