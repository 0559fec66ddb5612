import { expect, test } from "vitest";

import type { ReportFacts, RiskCheck } from "@/lib/migration/report/facts";
import { apiBudget, shortLivedToken } from "@/lib/migration/report/risks/interruptions";

const risksOf = async (check: RiskCheck, estimate: Partial<ReportFacts["estimate"]>, canSignIn = true) =>
  check({ renewable: false, canSignIn, estimate } as ReportFacts);

test.each([
  ["that exceed what is left", 130, "The migration needs more API requests than were left"],
  [
    "that take more than half of what is left",
    60,
    "The migration takes a large part of the API requests that were left",
  ],
])("API requests %s are a warning, and the run goes on where it stopped", async (_, needed, title) => {
  expect(await risksOf(apiBudget, { api_calls: needed, api_calls_remaining: 100 })).toMatchObject([
    { severity: "warning", title, detail: expect.stringContaining("goes on by itself where it stopped") },
  ]);
});

test("API requests that take less than half of what is left are no risk", async () => {
  expect(await risksOf(apiBudget, { api_calls: 49, api_calls_remaining: 100 })).toEqual([]);
  expect(await risksOf(apiBudget, { api_calls: 49, api_calls_remaining: null })).toEqual([]);
});

test("an access token that expires pauses a run, which goes on once the org is connected again", async () => {
  expect(await risksOf(shortLivedToken, { seconds: 3600 })).toMatchObject([
    {
      severity: "warning",
      detail: expect.stringContaining("goes on where it stopped once the org is connected again"),
    },
  ]);
});

test("an access token may expire while a short run waits for API requests", async () => {
  const waits = { seconds: 60, api_calls: 130, api_calls_remaining: 100 };
  expect(await risksOf(shortLivedToken, waits)).toMatchObject([
    { code: "token_may_expire", detail: expect.stringContaining("will wait for API requests") },
  ]);
  expect(await risksOf(shortLivedToken, { ...waits, api_calls: 100 })).toEqual([]);
});

test("a sign-in at Salesforce is advised only where this service offers it", async () => {
  expect(await risksOf(shortLivedToken, { seconds: 3600 })).toMatchObject([
    { recommended_action: expect.stringContaining("Connect by “Sign in at Salesforce”") },
  ]);
  expect(await risksOf(shortLivedToken, { seconds: 3600 }, false)).toMatchObject([
    { recommended_action: expect.stringMatching(/^Start with a new access token, and connect again/) },
  ]);
});
