import type { Json } from "../schema/field";

interface Preset {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const errorPreset = (status: number, errorCode: string, message: string): Preset => ({
  status,
  body: [{ message, errorCode }],
});

/** Errors by their code, with the texts of real orgs. */
export const PRESETS = {
  INVALID_SESSION_ID: errorPreset(401, "INVALID_SESSION_ID", "Session expired or invalid"),
  API_DISABLED_FOR_ORG: errorPreset(403, "API_DISABLED_FOR_ORG", "The REST API is not enabled for this Organization."),
  API_CURRENTLY_DISABLED: errorPreset(403, "API_CURRENTLY_DISABLED", "API is currently disabled for this user"),
  INSUFFICIENT_ACCESS: errorPreset(
    403,
    "INSUFFICIENT_ACCESS",
    "You do not have access to this resource. Please contact your administrator.",
  ),
  REQUEST_LIMIT_EXCEEDED: errorPreset(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."),
  CONCURRENT_REQUESTS: errorPreset(403, "REQUEST_LIMIT_EXCEEDED", "ConcurrentPerOrgLongTxn Limit exceeded."),
  PASSWORD_EXPIRED: errorPreset(
    403,
    "INVALID_OPERATION_WITH_EXPIRED_PASSWORD",
    "The users password has expired, you must call SetPassword before attempting any other API operations",
  ),
  UNABLE_TO_LOCK_ROW: errorPreset(400, "UNABLE_TO_LOCK_ROW", "unable to obtain exclusive access to this record"),
  QUERY_TIMEOUT: errorPreset(400, "QUERY_TIMEOUT", "Your query request was running for too long."),
  QUERY_TOO_COMPLICATED: errorPreset(
    400,
    "QUERY_TOO_COMPLICATED",
    "Query is either selecting too many fields or the filter conditions are too complicated.",
  ),
  OPERATION_TOO_LARGE: errorPreset(400, "OPERATION_TOO_LARGE", "exceeded 100000 distinct who/what's"),
  INVALID_QUERY_LOCATOR: errorPreset(400, "INVALID_QUERY_LOCATOR", "invalid query locator"),
  EXCEEDED_ID_LIMIT: errorPreset(
    400,
    "EXCEEDED_ID_LIMIT",
    "Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch",
  ),
  UNKNOWN_EXCEPTION: errorPreset(
    500,
    "UNKNOWN_EXCEPTION",
    "An unexpected error occurred. Please include this ErrorId if you contact support: 1234567890-12345 (-123456789)",
  ),
  SERVER_UNAVAILABLE: errorPreset(
    503,
    "SERVER_UNAVAILABLE",
    "The server is currently unavailable. Please try again later.",
  ),
  CONTENT_CUSTOMIZED_DOWNLOAD_EXCEPTION: errorPreset(
    400,
    "CONTENT_CUSTOMIZED_DOWNLOAD_EXCEPTION",
    "The download of this file is blocked by your organization.",
  ),
  NOT_FOUND: errorPreset(404, "NOT_FOUND", "The requested resource does not exist"),
  /** Bulk API 2.0. */
  INVALIDENTITY: errorPreset(400, "INVALIDENTITY", "Entity 'Case' is not supported by the Bulk API."),
  API_ERROR: errorPreset(400, "API_ERROR", "Value does not match expected type at [line:1, column:22]"),
  INVALIDJOB: errorPreset(400, "INVALIDJOB", "Unable to find object in job."),
  INVALIDJOBSTATE: errorPreset(400, "INVALIDJOBSTATE", "Getting results for a job in state InProgress is not allowed"),
  API_VERSION_MISMATCH: errorPreset(409, "API_VERSION_MISMATCH", "The API version of the job is another one"),
  INVALID_TYPE_FOR_OPERATION: errorPreset(400, "INVALID_TYPE_FOR_OPERATION", "entity type Case does not support query"),
  HEADERS_TOO_LARGE: { status: 431, body: "Request Header Fields Too Large" },
  URI_TOO_LONG: { status: 414, body: "URI Too Long" },
  /** The answer of a proxy in between, or of a server other than Salesforce. */
  HTML_PAGE: {
    status: 502,
    body: "<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>",
    headers: { "Content-Type": "text/html" },
  },
  /** OAuth. */
  INACTIVE_USER: { status: 400, body: { error: "invalid_grant", error_description: "inactive user" } },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

export function presetOf(name: PresetName): Preset {
  return PRESETS[name];
}
