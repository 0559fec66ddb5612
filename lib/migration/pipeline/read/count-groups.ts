import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, type QueryPage, select, soqlString } from "@/lib/salesforce/query";

/** An org with more different values answers page after page; this many are kept. */
const MAX_GROUPS = 100_000;

/** There are more values than are counted one by one. */
export class TooManyGroups extends Error {}

/**
 * The number of records for each value of a field that holds ids. Salesforce gives at most 2,000 groups per query, so
 * each page asks for the groups after the last one. Throws {@link TooManyGroups}.
 */
export async function countGroups(
  client: SalesforceClient,
  from: string,
  field: string,
  where: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: string | undefined = undefined; ;) {
    const soql = select({
      fields: [field, "COUNT(Id) records"],
      from,
      where: [...where, after === undefined ? `${field} != null` : `${field} > ${soqlString(after)}`],
      groupBy: [field],
      orderBy: field,
      limit: MAX_PAGE_RECORDS,
    });
    const page = await query(client, soql, { all: true, ...(signal && { signal }) });
    for (const group of page.records) counts.set(String(group[field]), Number(group.records));
    const last = lastOf(page, field);
    if (last === null || last === after) return counts;
    if (counts.size >= MAX_GROUPS) throw new TooManyGroups(`${from}.${field} has more than ${MAX_GROUPS} values.`);
    after = last;
  }
}

/** The last value of a page that others may follow; null: it is the last page. */
function lastOf({ records, done }: QueryPage, field: string): string | null {
  const last = records.at(-1)?.[field];
  const isEnd = done && records.length < MAX_PAGE_RECORDS;
  return isEnd || typeof last !== "string" ? null : last;
}
