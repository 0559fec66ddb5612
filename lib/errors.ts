/** Every code with which an operation refuses. `lib/http/problem.ts` gives each its HTTP status and title. */
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
  | "service_unavailable"
  | "internal_error";

/**
 * One fault in the input: its place (a JSON pointer into the body, RFC 6901, or `?name` for a query parameter), its
 * code, and how to mend it.
 */
export interface Fault {
  pointer: string;
  /** A problem's own code where the whole value is refused as a request would be. */
  code: FaultCode | ErrorCode;
  detail: string;
}

/** Nobody mends more at once, and a hostile request could have one fault per byte. */
export const MAX_FAULTS = 100;

/** What is known of a deleted record that can still be restored. */
export interface DeletionFacts {
  /** What the record was called. */
  name: string;
  deleted_at: string;
  deleted_by_id: string;
  /** The migration that deleted it; null: somebody deleted it here. */
  migration_id: string | null;
  restorable_until: string;
  /** It was deleted with the record that it belongs to, and is restored with that. */
  is_part: boolean;
  /** The deleted record that it belongs to, which is to be restored first; null: it can be restored by itself. */
  belongs_to: { resource: string; id: string } | null;
}

interface AppErrorOptions {
  /** The first {@link MAX_FAULTS} are kept. */
  errors?: Fault[];
  /** Ids of records that the caller needs to continue, by their role: `account_id`. */
  records?: Record<string, string>;
  /** What is known of the deletion of the requested record. */
  deletion?: DeletionFacts;
  /** The cause, for the log only. */
  cause?: unknown;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** Headers of the HTTP response only: a `www-authenticate` challenge. */
  headers?: Record<string, string>;
}

/**
 * A refusal with a sentence for the caller. Anything else that is thrown is a defect; the caller sees only
 * `internal_error`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly errors: Fault[];
  readonly records: Readonly<Record<string, string>> | undefined;
  readonly deletion: DeletionFacts | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = (options.errors ?? []).slice(0, MAX_FAULTS);
    this.records = options.records;
    this.deletion = options.deletion;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}

/** The codes of a single fault, beside those of problems, each with its meaning for clients. */
export const FAULT_CODES = {
  required: "It is required and missing.",
  invalid_type: "The value has the wrong type: a number instead of a text, or null where a value is required.",
  invalid_format: "The value has the wrong format: a date, an id, an e-mail address.",
  invalid_value: "The value is not allowed; `detail` says which are.",
  too_short: "A text has too few characters, or a list too few entries.",
  too_long: "A text has too many characters, or a list too many entries.",
  out_of_range: "A number is too small or too large.",
  unknown_field: "There is no such field. `detail` names the one that was probably meant.",
  repeated_name: "An object has the same name twice.",
  repeated_item: "An earlier item of the batch is about the same record.",
  invalid_text: "A text has a character that cannot be stored.",
  inexact_number: "A number has more digits than JSON readers preserve.",
  too_deep: "Objects and lists are nested too deep.",
  taken: "Another record has this value, which must be unique.",
  use_action: "A separate action sets this; `detail` names it.",
  converted: "The lead has been converted and can no longer change.",
  weak_password: "The password is too easy to guess.",
  wrong_password: "It is not the current password.",
  not_selectable: "The object cannot be part of the migration.",
  not_offered: "The service does not offer this; its operator has ruled it out.",
  nothing_selected: "No object is selected, so there is nothing to migrate.",
  not_mappable: "The field of the Salesforce org always goes to the same place.",
  shared_target: "Two fields of the Salesforce org would go to the same place.",
  unmapped_field: "No field of the Salesforce org goes to this field, so a rule cannot compare it.",
  no_relationship: "The field of the Salesforce org links to no record here.",
  unknown_owner: "There is no such user or queue in the Salesforce org.",
  unknown_member: "There is no such member of the organization.",
  required_relationship: "No such record can be stored without the other one.",
  unknown_target: "There is no such place for the field.",
  no_fixed_values: "The field takes any value, so there is nothing to translate.",
  unknown_value: "The field has no such value.",
  unknown_source_value: "The field has no such value in the Salesforce org.",
} as const;

export type FaultCode = keyof typeof FAULT_CODES;
