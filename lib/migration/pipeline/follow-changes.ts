import { feedItem } from "@/lib/migration/objects/feed";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { type Lock, storeBeside } from "@/lib/migration/pipeline/load/store-beside";
import { isRunning } from "@/lib/migration/pipeline/progress";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime, soqlString, type SourceRecord } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** Another object of the source from which records take something; see `addRelated`. */
interface Giver {
  from: string;
  where?: readonly string[];
  /** Its field with the id by which the records name it, in their field `key`. */
  field: string;
  key: string;
}

const GIVERS: Partial<Record<MigratedObjectName, readonly Giver[]>> = {
  FeedComment: [{ from: "FeedItem", where: feedItem.where ?? [], field: "Id", key: "FeedItemId" }],
  EmailMessage: [{ from: "Task", where: ["TaskSubtype = 'Email'"], field: "Id", key: "ActivityId" }],
  Opportunity: ["OpportunityLineItem", "OpportunityContactRole"].map((from) => ({
    from,
    field: "OpportunityId",
    key: "Id",
  })),
  Product2: [{ from: "PricebookEntry", where: ["Pricebook2.IsStandard = true"], field: "Product2Id", key: "Id" }],
};

/**
 * Reads and stores once more the records that a delta has not read, because only what they take from other objects was
 * changed: a reply whose post is no longer public must not stay so. Repeated, it changes and counts nothing.
 */
export async function followChanges(session: RunSession, plan: Plan, since: Date, lock: Lock): Promise<void> {
  const changed = `SystemModstamp >= ${soqlDateTime(since)}`;
  const conditions = [changed, `SystemModstamp < ${soqlDateTime(session.window.until)}`];
  const readable = (GIVERS[plan.object.name] ?? []).filter(({ key }) => plan.select.includes(key));
  for (const giver of readable)
    for await (const ids of namedBy(session.client, giver, conditions)) {
      if (!(await isRunning(session.run))) return;
      for await (const records of takersOf(session, plan, giver.key, ids, since))
        if (!(await storeBeside(session, plan, records, lock))) return;
    }
}

/** The ids in the field of changed and deleted records of a giver. None if the Salesforce user may not see it. */
async function* namedBy(
  client: SalesforceClient,
  { from, where = [], field }: Giver,
  conditions: readonly string[],
): AsyncGenerator<string[]> {
  const read = { from, fields: [...new Set(["Id", field])], where: [...where, ...conditions], after: null, all: true };
  try {
    for await (const page of readByKeyset(client, { ...read, size: { records: IDS_PER_QUERY } })) {
      const ids = page.flatMap((record) => (typeof record[field] === "string" ? [record[field]] : []));
      if (ids.length > 0) yield [...new Set(ids)];
    }
  } catch (error) {
    if (!isObjectHidden(error) && !isFieldHidden(error)) throw error;
  }
}

/** The records that name these ids and were not changed since. Those that were are read by this delta or the next. */
function takersOf(
  session: RunSession,
  { object, select }: Plan,
  key: string,
  ids: readonly string[],
  since: Date,
): AsyncGenerator<SourceRecord[]> {
  return readByKeyset(session.client, {
    from: object.name,
    fields: select,
    where: [
      ...(object.where ?? []),
      "IsDeleted = false",
      `SystemModstamp < ${soqlDateTime(since)}`,
      `${key} IN (${ids.map(soqlString).join(", ")})`,
    ],
    after: null,
    all: true,
    size: { records: object.maxPageRecords ?? MAX_PAGE_RECORDS },
    complete: (records, signal) => addRelated(session, object.name, records, signal),
  });
}
