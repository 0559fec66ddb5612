import { assertPage } from "@/lib/migration/pipeline/read/assert-page";
import { type FieldSplit, readByFields } from "@/lib/migration/pipeline/read/split-by-fields";
import { MIN_PAGE_RECORDS, withSmallerPages } from "@/lib/migration/pipeline/read/smaller-pages";
import { ALL_TIME, type Part, readBySpans, type Span } from "@/lib/migration/pipeline/read/split-by-time";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isAfter } from "@/lib/salesforce/ids";
import { query, type SourceRecord, type Select, select, soqlString } from "@/lib/salesforce/query";

/**
 * The number of records per page. The reader reduces it when the source times out. The consumer may change it between
 * pages.
 */
export interface PageSize extends FieldSplit {
  records: number;
  /** A query for more records timed out. */
  max?: number;
  /** The spans of time that are asked one by one, since a query for all takes too long. */
  spans?: Span[];
}

export interface KeysetRead extends Pick<Select, "from" | "fields" | "where"> {
  /** Reads the records after this id; null: from the beginning. */
  after: string | null;
  /** Includes archived and deleted records. */
  all: boolean;
  size: PageSize;
  /** Ends the reading: nobody waits for it any more. */
  signal?: AbortSignal;
  /** Adds to a page what other objects know of its records, before it is handed out; `signal`: nobody wants it. */
  complete?: (records: SourceRecord[], signal: AbortSignal) => Promise<void>;
}

interface Page extends Part {
  /** How many records the query requested. */
  limit: number;
}

/**
 * Reads an object in pages in the order of Id. Each page is a separate query (`Id > last ORDER BY Id`), so reading can
 * go on after any page, even days later: no cursor of the source can expire. While the consumer works on a page, the
 * next one is fetched.
 */
export async function* readByKeyset(client: SalesforceClient, read: KeysetRead): AsyncGenerator<SourceRecord[]> {
  const abort = new AbortController();
  const signal = read.signal ? AbortSignal.any([abort.signal, read.signal]) : abort.signal;
  let after = read.after;
  let nextPage = fetchPage(client, read, after, signal);
  try {
    for (;;) {
      const page = await nextPage;
      const last = page.records.at(-1)?.Id;
      if (typeof last !== "string") return;
      // A source that repeats pages would be read endlessly.
      if (after !== null && !isAfter(last, after))
        throw new SalesforceError(
          "source_error",
          `Salesforce returned the same page of ${read.from} again: the page after ${after} ends with ${last}.`,
        );
      after = last;
      const ended = page.done && page.records.length < page.limit;
      if (!ended) {
        nextPage = fetchPage(client, read, after, signal);
        // A failure is handled where the promise is awaited. Until then it must not count as unhandled.
        nextPage.catch(() => undefined);
      }
      yield page.records;
      if (ended) return;
    }
  } finally {
    abort.abort();
  }
}

/** Reads one page. A query that is too large is repeated for half as many records, which skips none. */
async function fetchPage(
  client: SalesforceClient,
  read: KeysetRead,
  after: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const where = [...(read.where ?? []), ...(after === null ? [] : [`Id > ${soqlString(after)}`])];
  const { from, all, size } = read;
  const requested = size.records;
  const ask = (fields: readonly string[], limit: number, conditions: readonly string[]) =>
    query(client, select({ from, fields, where: [...where, ...conditions], orderBy: "Id", limit }), { all, signal });
  const askFor = (records: number) =>
    askBySpans(size, records, (conditions) =>
      readByFields(size, read.fields, (fields, more) => ask(fields, records, [...conditions, ...more])),
    );
  const askForId = () => askBySpans(size, 1, (conditions) => ask(["Id"], 1, conditions));
  const { answer, limit, isSlow } = await withSmallerPages(requested, askFor, askForId);
  if (limit < requested) size.records = limit;
  // Smaller records may follow ones that are too large; a slow query stays slow, unless it is divided.
  if (isSlow) size.max = size.spans ? Infinity : limit;
  assertPage(from, answer.records, limit);
  signal.throwIfAborted();
  await read.complete?.(answer.records, signal);
  return { ...answer, limit };
}

/** Only a query that takes too long for the fewest records is divided by time: fewer records are asked for first. */
async function askBySpans(
  size: PageSize,
  records: number,
  ask: (conditions: string[]) => Promise<Part>,
): Promise<Part> {
  if (records > MIN_PAGE_RECORDS && !size.spans) return ask([]);
  const { spans, ...part } = await readBySpans(size.spans ?? [ALL_TIME], records, ask);
  if (spans.length > 1) size.spans = spans;
  return part;
}

/** Records with long texts make large pages, and memory has two pages at a time. */
export const MAX_PAGE_CHARACTERS = 3_000_000;

/** The page size that fits into memory, if `records` records are `characters` of JSON. */
export function pageSizeFor(records: number, characters: number): number {
  const light = Math.floor((MAX_PAGE_CHARACTERS / Math.max(1, characters)) * records);
  return Math.max(MIN_PAGE_RECORDS, Math.min(MAX_PAGE_RECORDS, light));
}

/** Limits the growth of pages, because the size of the next records is unknown. */
const MAX_GROWTH = 4;

/** The size of the next page, after one of `records` records that are `characters` of JSON. */
export function nextPageSize(records: number, characters: number, max = Infinity): number {
  return Math.min(max, Math.max(MIN_PAGE_RECORDS, Math.min(MAX_GROWTH * records, pageSizeFor(records, characters))));
}
