import { SalesforceError } from "@/lib/salesforce/errors";
import { soqlDateTime, type SourceRecord } from "@/lib/salesforce/query";

/** A part of the time in which records were created, in milliseconds since 1970. Null: without a bound. */
export interface Span {
  from: number | null;
  to: number | null;
}

export interface Part {
  records: SourceRecord[];
  done: boolean;
}

/** Salesforce has no older records of its own; imported ones are in the span without a lower bound. */
const FIRST_RECORDS = Date.UTC(1999, 0, 1);

const DAY = 86_400_000;

const TIMEOUTS = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE"]);

/**
 * Reads the first `limit` records in the order of Id although a query for so few takes too long: a span of time that
 * times out is halved, down to a day, and both halves are read. The first records of all spans together are the first
 * ones of the whole. Returns the spans that answered, with which the next page begins.
 */
export async function readBySpans(
  spans: readonly Span[],
  limit: number,
  ask: (conditions: string[]) => Promise<Part>,
): Promise<Part & { spans: Span[] }> {
  const answered: Span[] = [];
  const records: SourceRecord[] = [];
  let done = true;
  const waiting = spans.toReversed();
  for (let span = waiting.pop(); span; span = waiting.pop()) {
    const part = await answerOrHalve(span, ask);
    if (Array.isArray(part)) waiting.push(...part.toReversed());
    else {
      answered.push(span);
      records.push(...part.records);
      done &&= part.done;
    }
  }
  if (answered.length === 1) return { records, done, spans: answered };
  const sorted = records.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  return { records: sorted.slice(0, limit), done: done && sorted.length < limit, spans: answered };
}

function idOf({ Id }: SourceRecord): string {
  return String(Id).slice(0, 15);
}

/** The records of a span, or its halves if it takes too long. */
async function answerOrHalve(span: Span, ask: (conditions: string[]) => Promise<Part>): Promise<Part | [Span, Span]> {
  try {
    return await ask(conditionsOf(span));
  } catch (error) {
    const [from, to] = [span.from ?? FIRST_RECORDS, span.to ?? Date.now()];
    if (!isTimeout(error) || to - from < DAY) throw error;
    // Whole seconds, because SOQL literals have no fractions.
    const middle = Math.floor((from + to) / 2000) * 1000;
    return [
      { from: span.from, to: middle },
      { from: middle, to: span.to },
    ];
  }
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
