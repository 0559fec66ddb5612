import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { type SourceRecord, soqlString } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** Ids per query: the statement must fit into a URL, and an aggregate query returns at most 2,000 groups. */
export const IDS_PER_QUERY = 400;

interface ReadByIds {
  from: string;
  /** The field with the ids. */
  key: string;
  fields: readonly string[];
  pageRecords?: number;
}

/**
 * The records whose `key` is one of the ids, with that key and their Id. None if the Salesforce user may not see the
 * object or one of the fields.
 */
export async function readByIds(
  client: SalesforceClient,
  { from, key, fields, pageRecords = MAX_PAGE_RECORDS }: ReadByIds,
  ids: readonly string[],
): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  try {
    for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
      const some = ids.slice(start, start + IDS_PER_QUERY);
      const read = {
        from,
        fields: [...new Set(["Id", key, ...fields])],
        where: [`${key} IN (${some.map(soqlString).join(", ")})`],
        after: null,
        all: false,
        size: { records: pageRecords },
      };
      for await (const page of readByKeyset(client, read)) found.push(...page);
    }
  } catch (error) {
    if (!isObjectHidden(error) && !isFieldHidden(error)) throw error;
    return [];
  }
  return found;
}
