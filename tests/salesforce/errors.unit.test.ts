import { expect, test } from "vitest";

import { errorOfAnswer } from "@/lib/salesforce/errors";
import { oauthRefusal } from "@/lib/salesforce/oauth";
import { isContentRefused, isQueryRefused, nullWhenRefused } from "@/lib/salesforce/refusals";

function refusal(errorCode: string, message: string): string {
  return JSON.stringify([{ errorCode, message }]);
}

// Bodies that were recorded from real orgs.
test.each([
  [401, "INVALID_SESSION_ID", "Session expired or invalid", "source_token_refused", /new access token/],
  [
    401,
    "INVALID_SESSION_ID",
    "This session is not valid for use with the REST API",
    "source_token_refused",
    /scope “api”/,
  ],
  [
    403,
    "API_DISABLED_FOR_ORG",
    "The REST API is not enabled for this Organization.",
    "source_api_disabled",
    /API Enabled/,
  ],
  [403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.", "source_limit_exceeded", /24 hours/],
  [
    403,
    "INVALID_OPERATION_WITH_EXPIRED_PASSWORD",
    "The users password has expired, you must call SetPassword",
    "source_access_denied",
    /set a new password/,
  ],
  [403, "INSUFFICIENT_ACCESS", "You do not have access", "source_access_denied", /permission/],
  [
    400,
    "URL_NOT_RESET",
    "Destination URL not reset. The URL returned from login must be set",
    "source_url_invalid",
    /Setup › My Domain/,
  ],
  [400, "QUERY_TOO_COMPLICATED", "Query is either selecting too many fields", "source_error", /QUERY_TOO_COMPLICATED/],
])("HTTP %i %s (%s) says cause and remedy", (status, errorCode, message, code, says) => {
  const error = errorOfAnswer(status, refusal(errorCode, message));
  expect(error).toMatchObject({ code, errorCode, status, transient: false });
  expect(error.message).toMatch(says);
});

test("an answer of the wrong host is no refusal of what was asked", () => {
  const error = errorOfAnswer(400, refusal("URL_NOT_RESET", "Destination URL not reset."));
  expect(isQueryRefused(error)).toBe(false);
  expect(() => nullWhenRefused(error)).toThrow(error);
});

test("an expired token is one in the words of the Bulk API too", () => {
  const body = '{"exceptionCode":"InvalidSessionId","exceptionMessage":"Invalid session id"}';
  expect(errorOfAnswer(400, body)).toMatchObject({ code: "source_token_refused", transient: false });
  expect(errorOfAnswer(400, '{"exceptionCode":"Other"}')).toMatchObject({ code: "source_not_salesforce" });
});

test("a page of HTML is not an answer of Salesforce, unless its server is down", () => {
  expect(errorOfAnswer(404, "<html>")).toMatchObject({ code: "source_not_salesforce" });
  expect(errorOfAnswer(502, "<html>")).toMatchObject({ code: "source_error", transient: true });
  expect(errorOfAnswer(414, "URI Too Long")).toMatchObject({ code: "source_error", transient: false });
});

test("the last line of the message of a failed statement is shown", () => {
  const message =
    "\nSELECT Xyzzy FROM Xyzzy\n                  ^\nERROR at Row:1:Column:19\nsObject type 'Xyzzy' is not supported.";
  expect(errorOfAnswer(400, refusal("INVALID_TYPE", message)).message).toBe(
    "Salesforce answered INVALID_TYPE: sObject type 'Xyzzy' is not supported.",
  );
});

test.each(["constructor", "__proto__", "toString"])(
  "the code %s, which every object has, is an unknown one",
  (code) => {
    expect(errorOfAnswer(400, refusal(code, "Some reason."))).toMatchObject({
      code: "source_error",
      message: `Salesforce answered ${code}: Some reason.`,
    });
    expect(oauthRefusal(code, "")).toMatchObject({
      code: "source_access_denied",
      message: `Salesforce refused the connection: ${code}.`,
    });
  },
);

test("what PostgreSQL does not store is left out of what Salesforce says", () => {
  const { message } = errorOfAnswer(400, refusal("FIELD\0", "Bad \ud83d value\0."));
  expect(message).toBe("Salesforce answered FIELD: Bad \ufffd value.");
  const long = errorOfAnswer(400, refusal("FIELD", `${"x".repeat(492)}\u{1f600} and so on`)).message;
  expect([long.isWellFormed(), long.endsWith("…")]).toEqual([true, true]);
});

test("a content is refused at which Salesforce fails each time, and none while the org is not available", () => {
  const body = refusal("UNKNOWN_EXCEPTION", "An unexpected error occurred.");
  expect(isContentRefused(errorOfAnswer(500, body))).toBe(true);
  expect(isContentRefused(errorOfAnswer(503, refusal("SERVER_UNAVAILABLE", "Later.")))).toBe(false);
  expect(isContentRefused(errorOfAnswer(502, "<html>"))).toBe(false);
});

test.each(["ip restricted", "ip restricted or invalid login hours", "user is outside of login hours"])(
  "a sign-in that the org restricts (%s) is mended there, and not by connecting again",
  (description) => {
    const error = oauthRefusal("invalid_grant", description);
    expect(error).toMatchObject({ code: "source_access_denied", errorCode: "invalid_grant", transient: false });
    expect(error.message).toMatch(/IP Relaxation.*login IP ranges and login hours/);
    expect(error.message).not.toContain("again");
  },
);

test("what the token endpoint refuses for a moment is asked again", () => {
  for (const [error, description] of [
    ["invalid_grant", "token request is already being processed"],
    ["unknown_error", "retry your request"],
  ] as const)
    expect(oauthRefusal(error, description)).toMatchObject({ code: "source_error", transient: true });
  expect(oauthRefusal("invalid_grant", "expired access/refresh token")).toMatchObject({
    code: "source_token_refused",
    transient: false,
  });
});
