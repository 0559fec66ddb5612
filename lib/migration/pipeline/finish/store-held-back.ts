import { pool } from "@/lib/database/db";
import { type Part, partsOf } from "@/lib/migration/duplicates/run-clusters";
import { peopleIn } from "@/lib/migration/objects/key-prefixes";
import { PARENT_NOT_HERE, withoutNeeds } from "@/lib/migration/pipeline/load/leave-out";
import { addCounts } from "@/lib/migration/pipeline/object-counts";
import { storeLocked } from "@/lib/migration/pipeline/store-locked";
import { storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import { type Plan, selfLinksOf } from "@/lib/migration/pipeline/map/plan";
import { type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { IDS_PER_QUERY, readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The records that this run left out because a record of the same object was not here yet, as far as `condition`. */
const findText = (condition: string): string => `
  SELECT i.ext_id FROM migration_record_issues i
  WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3 AND i.code = '${PARENT_NOT_HERE}'
    AND i.field = ANY ($4::text[]) AND i.ext_id > $5 AND (${condition})
  ORDER BY i.ext_id LIMIT ${IDS_PER_QUERY}`;

const parentIsHere = (resource: ResourceName): string =>
  `EXISTS (SELECT FROM ${resource} p WHERE p.organization_id = i.organization_id AND p.ext_id = i.value)
    OR EXISTS (SELECT FROM ext_aliases a
      WHERE a.organization_id = i.organization_id AND a.ext_id = i.value AND a.entity = '${resource}')`;

const isHereItself = (resource: ResourceName): string =>
  `EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = i.organization_id AND r.ext_id = i.ext_id)`;

/**
 * Stores the records that were left out because the user wants none without its parent, and whose parent of the same
 * object came later in the order of ids. Each round may bring parents of others; the last one stores nothing. Those
 * that an earlier run has imported stay, and follow the source without the link. Costs nothing unless the user chose
 * so. `lock` fails when the run was stopped. False: the deadline has come. What is stored is not found again, so a call
 * that stores nothing goes through all of them.
 */
export async function storeHeldBack(
  session: RunSession,
  plan: Plan,
  { lock, deadline }: { lock: LockProgress; deadline: number },
): Promise<boolean> {
  const fields = selfLinksOf(plan.main).flatMap(({ field, choice }) => (choice === "leave_out" ? [field] : []));
  if (fields.length === 0) return true;
  const { resource } = plan.main.shape;
  const held = { session, plan, fields, lock, deadline };
  while (await storeRound(held, findText(parentIsHere(resource)), (outcome) => outcome))
    if (performance.now() >= deadline) return false;
  const stored = await storeRound(held, findText(isHereItself(resource)), withoutNeeds);
  return !stored || performance.now() < deadline;
}

interface Held {
  session: RunSession;
  plan: Plan;
  fields: readonly string[];
  lock: LockProgress;
  deadline: number;
}

/** Goes once through the records that `find` finds, or until the deadline. True: some of them were stored. */
async function storeRound(held: Held, find: string, adapt: (outcome: Outcome) => Outcome): Promise<boolean> {
  const { session, plan, fields } = held;
  const { organizationId, migrationId } = session.run;
  let stored = false;
  let after = "";
  for (;;) {
    const { rows } = await pool().query<{ ext_id: string }>(find, [
      organizationId,
      migrationId,
      plan.object.name,
      fields,
      after,
    ]);
    const last = rows.at(-1)?.ext_id;
    if (last === undefined || (stored && performance.now() >= held.deadline)) return stored;
    after = last;
    const ids = rows.map(({ ext_id }) => ext_id);
    for await (const records of readAgain({ ...session, plan }, ids)) {
      await session.people.lookUp(records.flatMap(peopleIn));
      for await (const part of partsOf(session, plan, records)) if (await storeAgain(held, part, adapt)) stored = true;
    }
  }
}

/**
 * Replaces the reasons of records by what becomes of them now. Those whose reason is gone are stored and counted by
 * another worker already. True: some of them were stored.
 */
async function storeAgain(
  { session: { run, people, configuration: choices }, plan, lock }: Held,
  { records, clusters }: Part,
  adapt: (outcome: Outcome) => Outcome,
): Promise<boolean> {
  const extIds = records.map(({ Id }) => String(Id));
  const stored = await storeLocked({ run, choices }, lock, async (client) => {
    const { rows } = await client.query<{ ext_id: string }>(
      `DELETE FROM migration_record_issues WHERE organization_id = $1 AND migration_id = $2 AND object = $3
         AND code = '${PARENT_NOT_HERE}' AND ext_id = ANY ($4::text[]) RETURNING ext_id`,
      [run.organizationId, run.migrationId, plan.object.name, extIds],
    );
    if (rows.length === 0) return { size: 0, records: 0 };
    const left = new Set(rows.map(({ ext_id }) => ext_id));
    const outcomes = records
      .filter(({ Id }) => left.has(String(Id)))
      .map((record) => adapt(transform(plan, record, people, run.organizationId)));
    const { size, ...counts } = await storeOutcomes({ client, run, plan, choices }, outcomes, clusters);
    await addCounts(
      client,
      run,
      plan.object.name,
      { last: null },
      { ...counts, skipped: counts.skipped - rows.length },
    );
    return { size, records: counts.created + counts.updated + counts.unchanged };
  });
  return stored !== null && stored.records > 0;
}
