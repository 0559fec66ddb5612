import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { migratedOf } from "@/lib/migration/report/survey";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select } from "@/lib/salesforce/query";

type Year = NonNullable<ObjectReport["created_by_year"]>[number];

const YEAR = "CALENDAR_YEAR(CreatedDate)";

/** More years than Salesforce exists. What has more is no Salesforce. */
const MAX_YEARS = 100;

/** The records of an object by the year of their creation, the oldest first; null if the source cannot count them. */
export async function recordsByYear(client: SalesforceClient, object: SourceObjectName): Promise<Year[] | null> {
  const soql = select({
    fields: [`${YEAR} year`, "COUNT(Id) records"],
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object)],
    groupBy: [YEAR],
    limit: MAX_YEARS,
  });
  const page = await answerWithin((signal) => query(client, soql, { all: true, signal }));
  if (!page?.done) return null;
  const years = page.records.map(({ year, records }) => ({ year: Number(year), records: Number(records) }));
  const isSound = years.every(({ year, records }) => Number.isSafeInteger(year) && Number.isSafeInteger(records));
  return isSound ? years.toSorted((one, other) => one.year - other.year) : null;
}
