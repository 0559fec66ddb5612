import { expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { StorageError } from "@/lib/files/file-storage";
import { describeFailure, isTransient, namingObject } from "@/lib/migration/failure";
import { errorOfAnswer, SalesforceError } from "@/lib/salesforce/errors";
import { oauthRefusal } from "@/lib/salesforce/oauth";

function withCode(code: string): Error {
  return Object.assign(new Error("no"), { code });
}

test.each(["40001", "40P01", "53300", "57P01", "08006", "ECONNRESET", "ETIMEDOUT"])(
  "what may pass by itself is tried again: %s",
  (code) => {
    expect(isTransient(withCode(code))).toBe(true);
  },
);

/** PostgreSQL's error as Prisma throws it. */
function fromPrisma(code: string, originalCode?: string): Error {
  return Object.assign(withCode(code), { meta: { driverAdapterError: { cause: { originalCode } } } });
}

test.each([
  ["P2039", "57P01"],
  ["P2034", "40P01"],
  ["P2037", "53300"],
  ["P2010", "25P03"],
  ["P1001", undefined],
  ["P1017", undefined],
])("what may pass by itself is tried again, through Prisma as well: %s, %s", (code, originalCode) => {
  expect(isTransient(fromPrisma(code, originalCode))).toBe(true);
});

test("a defect is not retried, through Prisma neither", () => {
  expect(isTransient(fromPrisma("P2002", "23505"))).toBe(false);
});

test("a lost database connection is transient", () => {
  expect(isTransient(new Error("Connection terminated unexpectedly"))).toBe(true);
});

test.each(["42703", "23505", "22P02", "ERR_INVALID_ARG_TYPE"])("a defect is not retried: %s", (code) => {
  expect(isTransient(withCode(code))).toBe(false);
});

test("a page that found the records locked is retried; other refusals are not", () => {
  expect(isTransient(new AppError("too_many_requests", "Busy."))).toBe(true);
  expect(isTransient(new AppError("not_found", "Gone."))).toBe(false);
});

/** What a migration stores that meets an error at its tasks. */
function failureAtTasks(status: number, errorCode: string) {
  const error = errorOfAnswer(status, JSON.stringify([{ errorCode, message: "Why." }]));
  const met = namingObject("Task", () => Promise.reject(error));
  return met.catch((thrown: unknown) => describeFailure(thrown, "migration"));
}

test.each([
  [403, "INSUFFICIENT_ACCESS", "source_access_denied", /^Tasks: The Salesforce user may not read this\./],
  [400, "INVALID_FIELD", "source_error", /^Tasks: Salesforce answered INVALID_FIELD: Why\.$/],
])("a failure that concerns one object names it, with its own code: %i %s", async (status, answer, code, detail) => {
  expect(await failureAtTasks(status, answer)).toMatchObject({ code, detail: expect.stringMatching(detail) });
});

test.each([
  [401, "INVALID_SESSION_ID"],
  [403, "API_DISABLED_FOR_ORG"],
  [403, "REQUEST_LIMIT_EXCEEDED"],
  [403, "INVALID_OPERATION_WITH_EXPIRED_PASSWORD"],
  [503, "SERVER_UNAVAILABLE"],
])("a failure that concerns the whole org names no object: %i %s", async (status, answer) => {
  expect(await failureAtTasks(status, answer)).toMatchObject({ detail: expect.not.stringContaining("Tasks") });
});

test.each([
  [new SalesforceError("source_error", "No."), /^See what Salesforce says above/],
  [new AppError("not_found", "Gone."), /^Tell whoever runs this service the time/],
  [new AppError("too_many_requests", "Busy."), /^Wait until less is changed/],
])("only a refusal of Salesforce is to be corrected there: %s", (error, remedy) => {
  expect(describeFailure(error, "migration").remedy).toMatch(remedy);
});

/** As a refresh is refused, after Salesforce has answered `invalid_grant`. */
const refusedRefresh = (description: string) =>
  new SalesforceError("source_token_refused", "Why.", { cause: oauthRefusal("invalid_grant", description) });

test("where a refresh is refused for an address or the user, new access is no remedy", () => {
  for (const description of ["ip restricted", "inactive user"]) {
    const { remedy, denied } = describeFailure(refusedRefresh(description), "migration");
    expect(denied).toBe(true);
    expect(remedy).toMatch(/^See what Salesforce says above, and correct it there\. Then run the migration again/);
    expect(describeFailure(refusedRefresh(description), "paused migration").remedy).toMatch(
      /Then resume the migration/,
    );
  }
  const expired = describeFailure(refusedRefresh("expired access/refresh token"), "paused migration");
  expect(expired.denied).toBeUndefined();
  expect(expired.remedy).toMatch(/^Connect the Salesforce org again .* the migration goes on by itself/);
});

test.each(["53100", "57014", "57P01"])("a database that has no room, time or connection is no defect: %s", (code) => {
  expect(describeFailure(fromPrisma("P2010", code), "migration")).toEqual({
    code: "service_unavailable",
    detail: "The database had no room, time or connection for this.",
    remedy: expect.stringMatching(/^Have whoever runs this service look after its database\. Then run/),
  });
});

test.each([
  [new Error("Broken."), /the id of the migration, which the address of its page has/],
  [new StorageError("The storage of files does not answer.", false), /its storage of files\. /],
  [new AppError("storage_quota_exceeded", "Full."), /let the organization store more/],
  [new AppError("source_unreachable", "Away."), /Then analyze the org again\.$/],
])("a remedy names what whoever reads it has: no setting and no path of this repository: %s", (error, remedy) => {
  const told = describeFailure(error, "analysis").remedy;
  expect(told).toMatch(remedy);
  expect(told).not.toMatch(/[A-Z]_[A-Z]|docs\/|migration_id/);
});
