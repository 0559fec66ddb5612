import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { query, type QueryPage, select, soqlString, type SourceRecord } from "@/lib/salesforce/query";

/** An org with more different values answers page after page; this many are kept. */
const MAX_GROUPS = 100_000;

/** The longest text by which Salesforce groups. */
const MAX_VALUE_LENGTH = 255;

/** There are more values than are counted one by one. */
export class TooManyGroups extends Error {}

interface GroupsRead {
  from: string;
  /** The field that holds ids, or a text that the user has mapped onto the column of a link. */
  field: string;
  where: readonly string[];
  /** The most groups that a query may ask for. */
  limit?: number;
  /** Reads the groups after this id. */
  after?: string;
  signal?: AbortSignal;
}

/**
 * The number of records for each value of a field, in pages in the order of the values. Salesforce gives at most 2,000
 * groups per query, and may give fewer, so each page asks for the groups after the last one.
 */
export async function* readGroups(
  client: SalesforceClient,
  { from, field, where, limit = MAX_PAGE_RECORDS, after: first, signal }: GroupsRead,
): AsyncGenerator<Map<string, number>> {
  for (let after = first; ;) {
    const soql = select({
      fields: [field, "COUNT(Id) records"],
      from,
      where: [...where, after === undefined ? `${field} != null` : `${field} > ${soqlString(after)}`],
      groupBy: [field],
      orderBy: field,
      limit,
    });
    const page = await query(client, soql, { all: true, ...(signal && { signal }) });
    yield new Map(page.records.map((group) => countOf(from, field, group)));
    const last = lastOf(page, field, limit);
    if (last === null || last === after) return;
    after = last;
  }
}

/** All values are kept, so one that Salesforce would not group by is refused. */
function countOf(from: string, field: string, group: SourceRecord): [value: string, records: number] {
  const { [field]: value, records } = group;
  if (typeof value !== "object" && String(value).length <= MAX_VALUE_LENGTH && typeof records === "number")
    return [String(value), records];
  throw new SalesforceError(
    "source_not_salesforce",
    `Salesforce counted records of ${from} by values of ${field} that are neither ids nor short texts.`,
  );
}

/** The last value of a page that others may follow; null: it is the last page. */
function lastOf({ records, done }: QueryPage, field: string, limit: number): string | null {
  const last = records.at(-1)?.[field];
  const isEnd = done && records.length < limit;
  return isEnd || typeof last !== "string" ? null : last;
}

/** The number of records for each value of a field that holds ids. Throws {@link TooManyGroups}. */
export async function countGroups(
  client: SalesforceClient,
  from: string,
  field: string,
  where: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const groups of readGroups(client, { from, field, where, signal })) {
    for (const [value, records] of groups) counts.set(value, records);
    if (counts.size > MAX_GROUPS) throw new TooManyGroups(`${from}.${field} has more than ${MAX_GROUPS} values.`);
  }
  return counts;
}
