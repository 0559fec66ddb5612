import type { FaultRule } from "@/sandbox-org/faults/rule";
import type { RunningOrg } from "@/sandbox-org/start";

type ErrorAnswer = Pick<FaultRule, "status" | "body" | "action">;

const answer = (status: number, errorCode: string, message: string): ErrorAnswer => ({
  status,
  body: [{ message, errorCode }],
});

/**
 * Every error that a request which reads can meet, with the text of a real org: recorded answers, or where none is
 * known, those of Salesforce's documentation. Errors of writing and of searches are not among them.
 */
export const READ_ERRORS: Record<string, ErrorAnswer> = {
  INVALID_TYPE_FOR_OPERATION: answer(400, "INVALID_TYPE_FOR_OPERATION", "entity type Case does not support query"),
  MALFORMED_QUERY: answer(
    400,
    "MALFORMED_QUERY",
    "Implementation restriction: ContentDocumentLink requires a filter by a single Id on ContentDocumentId or " +
      "LinkedEntityId using the equals operator or multiple Id's using the IN operator.",
  ),
  EXTERNAL_OBJECT_UNSUPPORTED: answer(
    400,
    "EXTERNAL_OBJECT_UNSUPPORTED_EXCEPTION",
    "Where clauses should contain StatType",
  ),
  EXTERNAL_OBJECT_EXCEPTION: answer(400, "EXTERNAL_OBJECT_EXCEPTION", "Transient queries are not implemented"),
  API_DISABLED_BY_FEATURE: answer(
    400,
    "DATACLOUD_API_DISABLED_EXCEPTION",
    "Your organization doesn't have permission to access the Data.com API",
  ),
  INVALID_FIELD: answer(
    400,
    "INVALID_FIELD",
    "\nselect Id, Company from Lead\n         ^\nERROR at Row:1:Column:11\nNo such column 'Company' on 'Case'.",
  ),
  INVALID_TYPE: answer(400, "INVALID_TYPE", "\nERROR at Row:1:Column:19\nsObject type 'Xyzzy' is not supported."),
  NOT_FOUND: answer(404, "NOT_FOUND", "The requested resource does not exist"),
  ENTITY_IS_DELETED: answer(404, "ENTITY_IS_DELETED", "entity is deleted"),
  EXCEEDED_ID_LIMIT: answer(
    400,
    "EXCEEDED_ID_LIMIT",
    "Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch",
  ),
  QUERY_TOO_COMPLICATED: answer(
    400,
    "QUERY_TOO_COMPLICATED",
    "Query is either selecting too many fields or the filter conditions are too complicated.",
  ),
  QUERY_TIMEOUT: answer(400, "QUERY_TIMEOUT", "Your query request was running for too long."),
  OPERATION_TOO_LARGE: answer(400, "OPERATION_TOO_LARGE", "exceeded 100000 distinct who/what's"),
  UNABLE_TO_LOCK_ROW: answer(400, "UNABLE_TO_LOCK_ROW", "unable to obtain exclusive access to this record"),
  INVALID_QUERY_LOCATOR: answer(400, "INVALID_QUERY_LOCATOR", "invalid query locator"),
  API_ERROR: answer(400, "API_ERROR", "Value does not match expected type at [line:1, column:22]"),
  INVALIDENTITY: answer(400, "INVALIDENTITY", "Entity 'Case' is not supported by the Bulk API."),
  INSUFFICIENT_ACCESS: answer(403, "INSUFFICIENT_ACCESS", "You do not have access to this resource."),
  INVALID_SESSION_ID: answer(401, "INVALID_SESSION_ID", "Session expired or invalid"),
  NO_REST: answer(401, "INVALID_SESSION_ID", "This session is not valid for use with the REST API"),
  INVALID_SESSION_ID_OF_BULK: {
    status: 400,
    body: { exceptionCode: "InvalidSessionId", exceptionMessage: "Invalid session id" },
  },
  INVALID_GRANT: {
    status: 400,
    body: { error: "invalid_grant", error_description: "expired access/refresh token" },
  },
  API_DISABLED_FOR_ORG: answer(403, "API_DISABLED_FOR_ORG", "The REST API is not enabled for this Organization."),
  EXPIRED_PASSWORD: answer(
    403,
    "INVALID_OPERATION_WITH_EXPIRED_PASSWORD",
    "The users password has expired, you must call SetPassword before attempting any other API operations",
  ),
  REQUEST_LIMIT_EXCEEDED: answer(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."),
  CONCURRENT_REQUESTS: answer(403, "REQUEST_LIMIT_EXCEEDED", "ConcurrentPerOrgLongTxn Limit exceeded."),
  EMPTY_500: { status: 500, body: "" },
  SERVER_UNAVAILABLE: answer(503, "SERVER_UNAVAILABLE", "The server is currently unavailable."),
  /** Connections that break before and within an answer. */
  RESET: { action: "reset" },
  TRUNCATED: { action: "truncate" },
  HTML_PAGE: { status: 502, body: "<html><body>Bad Gateway</body></html>" },
};

/** Whether a request has met one of the org's fault rules. Without that a test of them proves nothing. */
export async function isMet({ instanceUrl }: RunningOrg): Promise<boolean> {
  const answer = await fetch(`${instanceUrl}/__control/rules`);
  const { rules } = (await answer.json()) as { rules: { triggered: number }[] };
  return rules.some(({ triggered }) => triggered > 0);
}
