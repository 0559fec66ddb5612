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
 * `ask` gets the conditions on a span. Returns the spans that answered, in their order.
 */
export async function answersBySpan<Answer>(
  spans: readonly Span[],
  ask: (conditions: string[]) => Promise<Answer>,
): Promise<{ span: Span; answer: Answer }[]> {
  const answered: { span: Span; answer: Answer }[] = [];
  const waiting = spans.toReversed();
  for (let span = waiting.pop(); span; span = waiting.pop()) {
    try {
      answered.push({ span, answer: await ask(conditionsOf(span)) });
    } catch (error) {
      const [first, second] = halvesOf(span, error);
      waiting.push(second, first);
    }
  }
  return answered;
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
  const answered = await answersBySpan(spans, ask);
  const parts = answered.map(({ answer }) => answer);
  const asked = answered.map(({ span }) => span);
  const [only] = parts;
  if (only && parts.length === 1) return { ...only, spans: asked };
  const sorted = parts
    .flatMap(({ records }) => records)
    .toSorted((one, other) => (isAfter(String(one.Id), String(other.Id)) ? 1 : -1));
  const done = parts.every((part) => part.done) && sorted.length < limit;
  return { records: sorted.slice(0, limit), done, spans: asked };
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
function isTimeout(error: unknown): boolean {
  return error instanceof SalesforceError && TIMEOUTS.has(error.errorCode ?? "");
}
