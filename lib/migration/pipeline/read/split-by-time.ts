import { SalesforceError } from "@/lib/salesforce/errors";
import { isAfter } from "@/lib/salesforce/ids";
import { soqlDateTime, type SourceRecord } from "@/lib/salesforce/query";

/** A part of the time in which records were created, in milliseconds since 1970. Null: without a bound. */
export interface Span {
  from: number | null;
  to: number | null;
}

export const ALL_TIME: Span = { from: null, to: null };

export interface Part {
  records: SourceRecord[];
  done: boolean;
}

/** Salesforce has no older records of its own; imported ones are in the span without a lower bound. */
const FIRST_RECORDS = Date.UTC(1999, 0, 1);

const DAY = 86_400_000;

const TIMEOUTS = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE"]);

/**
 * Asks for spans of time one by one. One that takes too long is halved, down to a day, and both halves are asked for.
 * `ask` gets the conditions on a span. Yields the spans that answered, in their order.
 */
export async function* answersBySpan<Answer>(
  spans: readonly Span[],
  ask: (conditions: string[]) => Promise<Answer>,
): AsyncGenerator<{ span: Span; answer: Answer }> {
  const waiting = spans.toReversed();
  for (let span = waiting.pop(); span; span = waiting.pop()) {
    let answer: Answer;
    try {
      answer = await ask(conditionsOf(span));
    } catch (error) {
      const [first, second] = halvesOf(span, error);
      waiting.push(second, first);
      continue;
    }
    yield { span, answer };
  }
}

/**
 * Reads the first `limit` records in the order of Id although a query for so few takes too long: the first records of
 * all spans together are the first ones of the whole. Returns the spans that answered, with which the next page begins.
 */
export async function readBySpans(
  spans: readonly Span[],
  limit: number,
  ask: (conditions: string[]) => Promise<Part>,
): Promise<Part & { spans: Span[] }> {
  const asked: Span[] = [];
  let read: Part | null = null;
  for await (const { span, answer } of answersBySpan(spans, ask)) {
    asked.push(span);
    read = read ? firstOf(read, answer, limit) : answer;
  }
  return { ...(read ?? { records: [], done: true }), spans: asked };
}

/**
 * The first records of two parts in the order of Id. A part that is not done may lack records behind its last one, so
 * nothing behind that is taken from the other part: the next page would go on behind it.
 */
function firstOf(one: Part, other: Part, limit: number): Part {
  const ends = [one, other].flatMap(({ records, done }) => (done ? [] : records.slice(-1)));
  const sorted = [...one.records, ...other.records]
    .filter((record) => !ends.some((end) => isBehind(record, end)))
    .toSorted((first, second) => (isBehind(first, second) ? 1 : -1));
  return { records: sorted.slice(0, limit), done: one.done && other.done && sorted.length <= limit };
}

function isBehind(record: SourceRecord, other: SourceRecord): boolean {
  return isAfter(String(record.Id), String(other.Id));
}

/** The halves of a span that took too long. Throws every other error. */
function halvesOf(span: Span, error: unknown): [Span, Span] {
  const [from, to] = [span.from ?? FIRST_RECORDS, span.to ?? Date.now()];
  if (!isTimeout(error) || to - from < DAY) throw error;
  // Whole seconds, because SOQL literals have no fractions.
  const middle = Math.floor((from + to) / 2000) * 1000;
  return [
    { from: span.from, to: middle },
    { from: middle, to: span.to },
  ];
}

function conditionsOf({ from, to }: Span): string[] {
  return [
    ...(from === null ? [] : [`CreatedDate >= ${soqlDateTime(new Date(from))}`]),
    ...(to === null ? [] : [`CreatedDate < ${soqlDateTime(new Date(to))}`]),
  ];
}

/** Whether less time to search may help, unlike fewer records or fields. */
export function isTimeout(error: unknown): boolean {
  return error instanceof SalesforceError && TIMEOUTS.has(error.errorCode ?? "");
}
