import { z } from "zod";

import { AppError, type ErrorCode } from "@/lib/errors";
import { parseBoundedJson } from "@/lib/input/bounded-json";
import { SMALL } from "@/lib/salesforce/answer-bounds";

interface SalesforceErrorOptions {
  /** The HTTP status of the answer; null when there was none. */
  status?: number | null;
  /** Salesforce's own code: `QUERY_TIMEOUT`. */
  errorCode?: string | null;
  /** Whether the same request may succeed if it is repeated. */
  transient?: boolean;
  retryAfter?: number;
  cause?: unknown;
}

/**
 * An error answer of the source, or a failure to reach it. The message names cause and remedy; `errorCode` is the code
 * of Salesforce.
 */
export class SalesforceError extends AppError {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly transient: boolean;

  constructor(code: ErrorCode, detail: string, options: SalesforceErrorOptions = {}) {
    super(code, detail, {
      cause: options.cause,
      ...(options.retryAfter !== undefined && { retryAfter: options.retryAfter }),
    });
    this.status = options.status ?? null;
    this.errorCode = options.errorCode ?? null;
    this.transient = options.transient ?? false;
  }
}

export const TRANSIENT_STATUS: ReadonlySet<number> = new Set([420, 429, 500, 502, 503, 504]);

const LIMIT =
  "The Salesforce org has used up its API requests of the last 24 hours. Wait until some are free again, each 24 " +
  "hours after it was made, or ask Salesforce for a higher limit.";

const DISABLED =
  "The API is disabled for this Salesforce org or user. The org's edition must include API access (Enterprise, " +
  "Unlimited, Performance, Developer, or Professional with the API add-on), and the user needs the permission “API " +
  "Enabled” (Setup › Permission Sets).";

const REFUSED =
  "The access token has expired, was revoked, belongs to another org, or to a session that is locked to the IP " +
  "address or domain from which it began. Get a new access token, or sign in at Salesforce, which renews it " +
  "automatically.";

const NO_REST =
  "Salesforce does not accept this access token for its REST API. Use one that was issued with the scope “api”, or " +
  "sign in at Salesforce instead.";

const EXPIRED_PASSWORD =
  "The password of the Salesforce user has expired. Sign in to Salesforce as this user, set a new password, and " +
  "try again.";

const DENIED =
  "The Salesforce user may not read this. Give the user the permissions “View Setup and Configuration” and “View " +
  "All Data”, or use another user.";

const OTHER_HOST = "This access token is for another address. Enter the one that Setup › My Domain shows for its org.";

/** Codes of Salesforce with a known cause and remedy (REST API Developer Guide, "Status Codes and Error Responses"). */
const KNOWN: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  ["INVALID_SESSION_ID", ["source_token_refused", REFUSED]],
  ["INVALID_AUTH_HEADER", ["source_token_refused", REFUSED]],
  ["URL_NOT_RESET", ["source_url_invalid", OTHER_HOST]],
  ["API_DISABLED_FOR_ORG", ["source_api_disabled", DISABLED]],
  ["API_CURRENTLY_DISABLED", ["source_api_disabled", DISABLED]],
  ["REQUEST_LIMIT_EXCEEDED", ["source_limit_exceeded", LIMIT]],
  ["INVALID_OPERATION_WITH_EXPIRED_PASSWORD", ["source_access_denied", EXPIRED_PASSWORD]],
  ["INSUFFICIENT_ACCESS", ["source_access_denied", DENIED]],
  ["INSUFFICIENT_ACCESS_OR_READONLY", ["source_access_denied", DENIED]],
]);

/** How much of a text of the source is shown and stored. */
const MAX_QUOTED_LENGTH = 500;

/** The beginning of a text of the source, for use in a sentence. PostgreSQL stores no U+0000 and no half character. */
export function quoted(text: string): string {
  const beginning = text.slice(0, MAX_QUOTED_LENGTH).replaceAll("\0", "").toWellFormed();
  return text.length > MAX_QUOTED_LENGTH ? `${beginning}…` : beginning;
}

const errorArray = z
  .array(z.looseObject({ errorCode: z.string().max(100), message: z.string().default("") }))
  .min(1)
  .max(1000);

/** An expired token in the words of the Bulk API, which has others than REST. */
const expiredSession = z.looseObject({ exceptionCode: z.literal("InvalidSessionId") });

/** The message of a failed SOQL statement quotes that over several lines. Only the last one names the error. */
function lastLine(message: string): string {
  return message.trim().split("\n").at(-1)?.trim() ?? "";
}

/** Turns an error answer with the body `text` into an error. */
export function errorOfAnswer(status: number, text: string, retryAfter?: number): SalesforceError {
  const value = valueOf(text);
  if (!errorArray.validate(value)) return errorWithoutCode(status, value, retryAfter);
  const [{ errorCode, message } = { errorCode: "", message: "" }] = errorArray.parse(value);
  const concurrent = errorCode === "REQUEST_LIMIT_EXCEEDED" && /concurrent/i.test(message);
  const options = {
    status,
    errorCode,
    transient: TRANSIENT_STATUS.has(status) || concurrent || errorCode === "UNABLE_TO_LOCK_ROW",
    ...(retryAfter !== undefined && { retryAfter }),
  };
  if (concurrent)
    return new SalesforceError(
      "source_limit_exceeded",
      "Too many long requests run in the Salesforce org at once. Try again shortly.",
      options,
    );
  if (/not valid for use with the REST API/i.test(message))
    return new SalesforceError("source_token_refused", NO_REST, options);
  const known = KNOWN.get(errorCode);
  if (known) return new SalesforceError(known[0], known[1], options);
  const answered = quoted(`${errorCode}: ${lastLine(message)}`);
  return new SalesforceError("source_error", `Salesforce answered ${answered}`, options);
}

const TOO_LONG = "Salesforce refused a request as too long. Leave out fields of this object in the configuration.";

function errorWithoutCode(status: number, value: unknown, retryAfter?: number): SalesforceError {
  const options = { status, transient: TRANSIENT_STATUS.has(status), ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || expiredSession.validate(value)) return tokenRefused(options);
  if (status === 414 || status === 431) return new SalesforceError("source_error", TOO_LONG, options);
  if (options.transient) {
    const detail =
      `The Salesforce org is not available at the moment (HTTP ${status}). See status.salesforce.com, and try again ` +
      "later.";
    return new SalesforceError("source_error", detail, options);
  }
  return new SalesforceError(
    "source_not_salesforce",
    `The host answered HTTP ${status}, but not as Salesforce does. Check the address.`,
    options,
  );
}

/** The error for an access token that is no longer valid and cannot be renewed. */
export function tokenRefused(options: SalesforceErrorOptions): SalesforceError {
  return new SalesforceError("source_token_refused", REFUSED, options);
}

/** An error answer that is not JSON says nothing except its status. */
function valueOf(text: string): unknown {
  try {
    return parseBoundedJson(text, SMALL.values);
  } catch {
    return undefined;
  }
}
