/** Every way in which an operation can refuse. The HTTP status and title of each stand in `lib/http/problem.ts`. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_parameter"
  | "unknown_parameter"
  | "invalid_cursor"
  | "invalid_body"
  | "unauthenticated"
  | "insufficient_scope"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "unsupported_media_type"
  | "payload_too_large"
  | "conflict"
  | "idempotency_key_in_use"
  | "idempotency_key_reused"
  | "precondition_failed"
  | "illegal_state"
  | "too_many_requests"
  | "storage_quota_exceeded"
  | "source_url_invalid"
  | "source_not_salesforce"
  | "source_unreachable"
  | "source_token_refused"
  | "source_api_disabled"
  | "source_access_denied"
  | "source_limit_exceeded"
  | "source_sign_in_not_set_up"
  | "source_error"
  | "internal_error";

/**
 * One fault in the input: where (a JSON pointer into the body, RFC 6901, or `?name` for a query parameter), what, and
 * how to mend it.
 */
export interface Fault {
  pointer: string;
  /** That of a problem where the whole value is refused as a request would be. */
  code: FaultCode | ErrorCode;
  detail: string;
}

/** More faults than anybody mends at once; a hostile request could hold as many as it has bytes. */
export const MAX_FAULTS = 100;

interface AppErrorOptions {
  /** Of these the first {@link MAX_FAULTS} are kept. */
  errors?: Fault[];
  /** The ids of records that a caller needs to go on, by what each is: `account_id`. */
  records?: Record<string, string>;
  /** What only the log may see. */
  cause?: unknown;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** For the HTTP answer alone: a `www-authenticate` challenge. */
  headers?: Record<string, string>;
}

/**
 * A refusal with a sentence for the caller. Everything else that is thrown is a defect, and reaches the caller as
 * `internal_error`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly errors: Fault[];
  readonly records: Readonly<Record<string, string>> | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = (options.errors ?? []).slice(0, MAX_FAULTS);
    this.records = options.records;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}

/**
 * What can be wrong at one place of a request: the codes of `errors` that no problem has, each with what it means to a
 * client.
 */
export const FAULT_CODES = {
  required: "It must be given, and is not.",
  invalid_type: "It is of another type: a number where a text belongs, or null where there must be a value.",
  invalid_format: "It is not written as it must be: a date, an id, an e-mail address.",
  invalid_value: "It cannot be this; `detail` says what it can be.",
  too_short: "A text has too few characters, or a list too few entries.",
  too_long: "A text has too many characters, or a list too many entries.",
  out_of_range: "A number is too small or too large.",
  unknown_field: "There is no such field. `detail` names the one that was probably meant.",
  repeated_name: "An object has the same name twice.",
  repeated_item: "An earlier item of the batch is about the same record.",
  invalid_text: "A text has a character that no record can hold.",
  inexact_number: "A number has more digits than readers of JSON keep.",
  too_deep: "Objects and lists are nested too deep.",
  taken: "Another record has this value, and no two may.",
  use_action: "An action of its own sets this; `detail` names it.",
  converted: "The lead has been converted, and what it says is kept.",
  weak_password: "The password is too easy to guess.",
  wrong_password: "It is not the current password.",
  not_selectable: "The object cannot be part of the migration.",
  not_mappable: "The field of the Salesforce org has one place only.",
  shared_target: "Two fields of the Salesforce org are to go to one place.",
  unknown_target: "There is no such place for the field.",
  no_fixed_values: "The field takes any value, so there is nothing to translate.",
  unknown_value: "The field has no such value.",
  unknown_source_value: "The field has no such value in the Salesforce org.",
} as const;

export type FaultCode = keyof typeof FAULT_CODES;
