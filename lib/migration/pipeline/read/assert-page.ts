import { SalesforceError } from "@/lib/salesforce/errors";
import { isRecordId } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Throws `source_not_salesforce` unless a page has at most `limit` records, each with its Id. */
export function assertPage(from: string, records: readonly SourceRecord[], limit: number): void {
  if (records.length > limit)
    throw new SalesforceError(
      "source_not_salesforce",
      `Salesforce returned more records of ${from} than were requested.`,
    );
  if (!records.every(({ Id }) => isRecordId(Id)))
    throw new SalesforceError(
      "source_not_salesforce",
      `Salesforce returned a record of ${from} whose Id is not a Salesforce id of 18 characters.`,
    );
}

/** The pages of a reading that can find `limit` records. A source with always another one would be read endlessly. */
export async function* assertPages(
  from: string,
  pages: AsyncIterable<SourceRecord[]>,
  limit: number,
): AsyncGenerator<SourceRecord[]> {
  let left = limit;
  for await (const page of pages) {
    assertPage(from, page, left);
    left -= page.length;
    yield page;
  }
}
