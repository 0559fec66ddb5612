import { isPattern, markOccurring } from "@/lib/migration/objects/recurrence";
import { isHidden } from "@/lib/migration/pipeline/hidden";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { conditionsOf } from "@/lib/migration/pipeline/window";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { query, type SourceRecord } from "@/lib/salesforce/query";
import { select, soqlString } from "@/lib/salesforce/soql";

/** Ids per query: the statement must fit into a URL, and an aggregate query answers at most 2,000 groups. */
export const IDS_PER_QUERY = 400;

/** Marks the patterns of recurring series whose occurrences this run imports. One without any is all that there is of its series. */
export async function markSeries(session: RunSession, object: "Task" | "Event", records: readonly SourceRecord[]): Promise<void> {
  const patterns = new Map(records.filter(isPattern).map((record) => [String(record.Id), record]));
  const ids = [...patterns.keys()];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    for (const id of await withOccurrences(session.client, object, ids.slice(start, start + IDS_PER_QUERY), conditionsOf(session.window))) {
      const pattern = patterns.get(id);
      if (pattern) markOccurring(pattern);
    }
  }
}

/** Of the patterns, those with occurrences that keep the conditions. None where the Salesforce user may not see which record belongs to which series. */
export async function withOccurrences(
  client: SalesforceClient,
  object: "Task" | "Event",
  ids: readonly string[],
  conditions: readonly string[],
): Promise<string[]> {
  const imported = ["IsRecurrence = false", "IsDeleted = false", ...(object === "Event" ? ["IsChild = false"] : []), ...conditions];
  const where = [`RecurrenceActivityId IN (${ids.map(soqlString).join(", ")})`, ...imported];
  const soql = select({ fields: ["RecurrenceActivityId", "COUNT(Id) records"], from: object, where, groupBy: ["RecurrenceActivityId"] });
  const page = await query(client, soql, { all: true }).catch((error: unknown) => {
    if (isHidden(error) || (error instanceof SalesforceError && error.errorCode === "INVALID_FIELD")) return null;
    throw error;
  });
  return page?.records.map((group) => String(group.RecurrenceActivityId)) ?? [];
}
