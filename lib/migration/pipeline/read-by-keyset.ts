import { isTooMuch } from "@/lib/migration/pipeline/too-much";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { query, type QueryPage, type SourceRecord } from "@/lib/salesforce/query";
import { type Select, select, soqlString } from "@/lib/salesforce/soql";

/** How many records a page asks for. The reader makes it smaller when the source times out; the consumer may change it between pages. */
export interface PageSize {
  records: number;
}

export interface KeysetRead extends Pick<Select, "from" | "fields" | "where"> {
  /** Read what comes after this id; null from the beginning. */
  after: string | null;
  /** Archived and deleted records too. */
  all: boolean;
  size: PageSize;
}

interface Page extends QueryPage {
  asked: number;
}

const SMALLEST_PAGE = 50;

/**
 * Reads an object in pages in the order of Id. Each page is a query of its own (`Id > last ORDER BY Id`), so that reading can go on after
 * any page, days later, with no cursor of the source's to expire. While a page is worked on, the next one is on its way.
 */
export async function* readByKeyset(client: SalesforceClient, read: KeysetRead): AsyncGenerator<SourceRecord[]> {
  const abort = new AbortController();
  let after = read.after;
  let coming = fetchPage(client, read, after, abort.signal);
  try {
    for (;;) {
      const page = await coming;
      const last = page.records.at(-1)?.Id;
      if (typeof last !== "string") return;
      if (last === after) throw new SalesforceError("source_error", `Salesforce returned the page after ${last} twice in reading ${read.from}.`);
      after = last;
      const ended = page.done && page.records.length < page.asked;
      if (!ended) {
        coming = fetchPage(client, read, after, abort.signal);
        // Its failure is met where it is awaited; until then it is nobody's.
        coming.catch(() => undefined);
      }
      yield page.records;
      if (ended) return;
    }
  } finally {
    abort.abort();
  }
}

/** One page. A query that is too much for the source is asked again for half as many records; no record is passed over by that. */
async function fetchPage(client: SalesforceClient, read: KeysetRead, after: string | null, signal: AbortSignal): Promise<Page> {
  for (;;) {
    const asked = read.size.records;
    const where = [...(read.where ?? []), ...(after === null ? [] : [`Id > ${soqlString(after)}`])];
    try {
      const soql = select({ from: read.from, fields: read.fields, where, orderBy: "Id", limit: asked });
      return { ...(await query(client, soql, { all: read.all, signal })), asked };
    } catch (error) {
      if (!isTooMuch(error) || asked <= SMALLEST_PAGE) throw error;
      read.size.records = Math.max(SMALLEST_PAGE, Math.floor(asked / 2));
    }
  }
}
