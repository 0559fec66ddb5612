import type { ResponseBound } from "@/lib/input/bounded-json";
import { SalesforceError } from "@/lib/salesforce/errors";

const USED_UP =
  "The Salesforce org has sent more than is read while somebody waits. Analyses and runs read without this limit.";

const ERROR_CODE = "ALLOWANCE_USED_UP";

/** Whether an error says that more is not read. What was read until then stays known. */
export function isAllowanceUsedUp(error: unknown): error is SalesforceError {
  return error instanceof SalesforceError && error.errorCode === ERROR_CODE;
}

/** What all answers to one client may hold together: each is bounded as well, but a host may send any number. */
export class Allowance {
  readonly #maxAnswerBytes: number;
  #bytes: number;
  #values: number;

  constructor({ bytes, values }: ResponseBound) {
    this.#maxAnswerBytes = bytes / 4;
    this.#bytes = bytes;
    this.#values = values;
  }

  /**
   * What one answer may take: a larger page is requested again with fewer records, before all is used up. Throws when
   * all is, so that nothing more is requested.
   */
  get maxAnswerBytes(): number {
    this.take({});
    return this.#maxAnswerBytes;
  }

  /** Takes what an answer holds. Throws when that is more than is left. */
  take({ bytes = 0, values = 0 }: Partial<ResponseBound>): void {
    this.#bytes -= bytes;
    this.#values -= values;
    if (this.#bytes >= 0 && this.#values >= 0) return;
    throw new SalesforceError("source_error", USED_UP, { errorCode: ERROR_CODE });
  }
}
