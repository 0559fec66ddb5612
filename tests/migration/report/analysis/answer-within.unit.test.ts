import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { answerWithin } from "@/lib/migration/report/answer-within";
import { SalesforceError } from "@/lib/salesforce/errors";

test("a question that exceeds the timeout gives null, and its request is aborted", async () => {
  const asked: AbortSignal[] = [];
  const answer = await answerWithin((signal) => {
    asked.push(signal);
    return delay(60_000, "late", { signal });
  }, 5);
  expect(answer).toBeNull();
  expect(asked[0]?.aborted).toBe(true);
});

test("an answer in time is returned", async () => {
  expect(await answerWithin(async () => 12)).toBe(12);
});

test("a refused question gives null; every other error is thrown", async () => {
  const refused = new SalesforceError("source_error", "Salesforce answered QUERY_TIMEOUT.", {
    status: 400,
    errorCode: "QUERY_TIMEOUT",
  });
  const expired = new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  expect(await answerWithin(() => Promise.reject(refused))).toBeNull();
  await expect(answerWithin(() => Promise.reject(expired))).rejects.toBe(expired);
});

const failure = (status: number | null, errorCode: string | null) =>
  new SalesforceError("source_error", "Salesforce failed.", { status, errorCode, transient: true });

test("a question at which Salesforce fails each time gives null; an org that is not available is thrown", async () => {
  expect(await answerWithin(() => Promise.reject(failure(500, "UNKNOWN_EXCEPTION")))).toBeNull();
  for (const outage of [failure(503, "SERVER_UNAVAILABLE"), failure(502, null), failure(null, null)])
    await expect(answerWithin(() => Promise.reject(outage))).rejects.toBe(outage);
});
