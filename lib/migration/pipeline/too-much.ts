import { SalesforceError } from "@/lib/salesforce/errors";

const CODES = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE", "QUERY_TOO_COMPLICATED", "ANSWER_TOO_LARGE"]);

/** Whether a query asked for more than the source does at once, so that asking for less may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof SalesforceError && CODES.has(error.errorCode ?? "");
}
