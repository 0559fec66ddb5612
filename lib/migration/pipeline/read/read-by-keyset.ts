import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isSalesforceId } from "@/lib/salesforce/ids";
import { query, type QueryPage, type SourceRecord, type Select, select, soqlString } from "@/lib/salesforce/query";
import { isQueryTooLarge } from "@/lib/salesforce/refusals";

/**
 * How many records a page asks for. The reader makes it smaller when the source times out; the consumer may change it
 * between pages.
 */
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
  /** How many records the query asked for. */
  limit: number;
}

/**
 * Reads an object in pages in the order of Id. Each page is a query of its own (`Id > last ORDER BY Id`), so that
 * reading can go on after any page, days later, with no cursor of the source's to expire. While a page is worked on,
 * the next one is on its way.
 */
export async function* readByKeyset(client: SalesforceClient, read: KeysetRead): AsyncGenerator<SourceRecord[]> {
  const abort = new AbortController();
  let after = read.after;
  let nextPage = fetchPage(client, read, after, abort.signal);
  try {
    for (;;) {
      const page = await nextPage;
      const last = page.records.at(-1)?.Id;
      if (typeof last !== "string") return;
      if (after !== null && !isAfter(last, after))
        throw new SalesforceError(
          "source_error",
          `Salesforce returned a page again in reading ${read.from}: what comes after ${after} ends with ${last}.`,
        );
      after = last;
      const ended = page.done && page.records.length < page.limit;
      if (!ended) {
        nextPage = fetchPage(client, read, after, abort.signal);
        // Its failure is met where it is awaited; until then it is nobody's.
        nextPage.catch(() => undefined);
      }
      yield page.records;
      if (ended) return;
    }
  } finally {
    abort.abort();
  }
}

/**
 * Whether one id comes behind another in the order of Salesforce: digits, capitals, small letters, as in ASCII. The
 * last three of 18 characters say nothing more. A source that goes round in circles would be read for ever, with every
 * page changing nothing.
 */
function isAfter(id: string, other: string): boolean {
  return id.slice(0, 15) > other.slice(0, 15);
}

/** One page. A query that is too much is asked again for half as many records; no record is passed over by that. */
async function fetchPage(
  client: SalesforceClient,
  read: KeysetRead,
  after: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const where = [...(read.where ?? []), ...(after === null ? [] : [`Id > ${soqlString(after)}`])];
  const requested = read.size.records;
  const { answer, limit } = await withSmallerPages(requested, (records) =>
    query(client, select({ from: read.from, fields: read.fields, where, orderBy: "Id", limit: records }), {
      all: read.all,
      signal,
    }),
  );
  if (limit < requested) read.size.records = limit;
  if (answer.records.length > limit)
    throw new SalesforceError(
      "source_not_salesforce",
      `Salesforce returned more records than it was asked for in reading ${read.from}.`,
    );
  if (!answer.records.every(({ Id }) => typeof Id === "string" && isSalesforceId(Id)))
    throw new SalesforceError(
      "source_not_salesforce",
      `Salesforce returned a record of ${read.from} whose Id is none of Salesforce's.`,
    );
  return { ...answer, limit };
}

export const MIN_PAGE_RECORDS = 50;

/** Long texts make pages heavy; memory holds two pages at a time. */
const MAX_PAGE_CHARACTERS = 3_000_000;

/** How many records make a page of what memory may hold, when `records` of them are `characters` of JSON. */
export function pageSizeFor(records: number, characters: number): number {
  const light = Math.floor((MAX_PAGE_CHARACTERS / Math.max(1, characters)) * records);
  return Math.max(MIN_PAGE_RECORDS, Math.min(MAX_PAGE_RECORDS, light));
}

/** A source that takes too long for so few takes as long for fewer. */
const MIN_RECORDS = 50;

/**
 * Asks for so many records, and for half as many for as long as that is too much; of records that are heavy themselves,
 * down to a single one.
 */
export async function withSmallerPages<Answer>(
  records: number,
  ask: (records: number) => Promise<Answer>,
): Promise<{ answer: Answer; limit: number }> {
  for (let limit = records; ; limit = Math.floor(limit / 2)) {
    try {
      return { answer: await ask(limit), limit };
    } catch (error) {
      const min = error instanceof SalesforceError && error.errorCode === "ANSWER_TOO_LARGE" ? 1 : MIN_RECORDS;
      if (!isQueryTooLarge(error) || limit <= min) throw error;
    }
  }
}
