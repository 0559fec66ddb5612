import type { FaultCode } from "@/lib/fault-codes";

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

/** One fault in the input: where (a JSON pointer into the body, RFC 6901, or `?name` for a query parameter), what, and how to mend it. */
export interface Fault {
  pointer: string;
  /** That of a problem where the whole value is refused as a request would be. */
  code: FaultCode | ErrorCode;
  detail: string;
}

/** More faults than anybody mends at once; a hostile request could hold as many as it has bytes. */
export const MOST_FAULTS = 100;

interface AppErrorOptions {
  /** Of these the first {@link MOST_FAULTS} are kept. */
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

/** A refusal with a sentence for the caller. Everything else that is thrown is a defect, and reaches the caller as `internal_error`. */
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
    this.errors = (options.errors ?? []).slice(0, MOST_FAULTS);
    this.records = options.records;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
  }
}
