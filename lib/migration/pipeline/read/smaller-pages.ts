import { isTimeout, type Part } from "@/lib/migration/pipeline/read/split-by-time";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isFault, isQueryTooLarge } from "@/lib/salesforce/refusals";

/** A source that times out for so few records times out for fewer as well, and so few take little memory. */
export const MIN_PAGE_RECORDS = 50;

/**
 * Queries `records` records, and half as many for as long as the query is too large. Goes down to a single record if
 * the records themselves are large, or if Salesforce fails at one of them, which is then named; that only if `askForId`
 * asks for the id of the first of them. `isSlow`: a query for more timed out.
 */
export async function withSmallerPages<Answer>(
  records: number,
  ask: (records: number) => Promise<Answer>,
  askForId?: () => Promise<Part>,
): Promise<{ answer: Answer; limit: number; isSlow: boolean }> {
  let isSlow = false;
  for (let limit = records; ; limit = Math.floor(limit / 2)) {
    try {
      return { answer: await ask(limit), limit, isSlow };
    } catch (error) {
      if (askForId && isFaultAlone(error)) await assertOfFewer(error, limit, askForId);
      else if (!isQueryTooLarge(error) || limit <= minAfter(error)) throw error;
      isSlow ||= isTimeout(error);
    }
  }
}

function minAfter(error: unknown): number {
  return error instanceof SalesforceError && error.errorCode === "ANSWER_TOO_LARGE" ? 1 : MIN_PAGE_RECORDS;
}

function isFaultAlone(error: unknown): error is SalesforceError {
  return isFault(error) && !isQueryTooLarge(error);
}

/**
 * Throws unless fewer records may be answered: not in an outage, in which Salesforce fails at ids as well, so that it
 * gets one more request and not many; and not where it fails at a single record. That is named, and counts as an outage
 * all the same, because a run waits for the end of one before it fails.
 */
async function assertOfFewer(fault: SalesforceError, records: number, askForId: () => Promise<Part>): Promise<void> {
  const [first] = (await askForId()).records;
  if (!first) throw fault;
  if (records > 1) return;
  const { code, status, errorCode, transient } = fault;
  const detail = `Salesforce fails each time at the record ${String(first.Id)}. ${fault.message}`;
  throw new SalesforceError(code, detail, { status, errorCode, transient, cause: fault });
}
