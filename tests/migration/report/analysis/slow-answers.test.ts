import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { mapObject } from "@/lib/migration/report/map-object";
import { surveyOrg } from "@/lib/migration/report/survey";
import { openClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyzeOrg, connect, risksNamed } from "@/tests/migration/support/analyze-org";

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
});
afterEach(() => org.setRules([]));
afterAll(() => org.stop());

const SLOW_MS = 1500;

function impatientClient() {
  const { instanceUrl, accessToken } = org;
  return openClient({ instanceUrl, accessToken, apiVersion: "67.0", retry: { retries: 1, backoffMs: 1 } });
}

function survey() {
  return surveyOrg(impatientClient(), async () => undefined);
}

async function surveyedCase() {
  return (await survey()).objects.find(({ name }) => name === "Case");
}

test("an attempt that Salesforce gave up does not count as the time of the sample", async () => {
  await org.setRules([{ object: "Case", soql: "LIMIT 200", preset: "QUERY_TIMEOUT", times: 1, delayMs: SLOW_MS }]);
  const { timeline } = (await analyzeOrg(org)).estimate;
  const { speed, seconds = 0 } = timeline.find(({ object }) => object === "Case") ?? {};
  expect(speed?.sampled_records).toBeGreaterThan(0);
  expect(speed?.sampled_milliseconds).toBeLessThan(SLOW_MS);
  expect(seconds).toBeLessThan(SLOW_MS / 1000);
});

test("one slow answer is not the latency of the org", async () => {
  // The first of these identifies the org, the second is timed.
  await org.setRules([{ pathPattern: String.raw`^/services/data/v67\.0$`, times: 2, delayMs: SLOW_MS }]);
  expect((await survey()).latency).toBeLessThan(SLOW_MS);
});

test.each(["QUERY_TIMEOUT", "UNKNOWN_EXCEPTION"] as const)(
  "an object whose records take too long to find is no hidden one: %s",
  async (preset) => {
    await org.setRules([{ object: "Case", soql: "FROM Case", preset }]);
    expect(await surveyedCase()).toMatchObject({ count: null, readable: true });
  },
);

test("an object that Salesforce refuses to read is not readable", async () => {
  await org.setRules([{ object: "Case", soql: "FROM Case", preset: "INVALID_TYPE_FOR_OPERATION" }]);
  expect(await surveyedCase()).toMatchObject({ count: null, readable: false });
});

test("records without a case and attachments are warned of, though they cannot be counted", async () => {
  await org.setRules([
    { soql: "ParentId NOT IN (SELECT Id FROM Case", preset: "QUERY_TIMEOUT" },
    { soql: "HasAttachment = true", preset: "QUERY_TIMEOUT" },
    { soql: "ORDER BY CreatedDate DESC", preset: "QUERY_TIMEOUT" },
  ]);
  const report = await analyzeOrg(org);
  const codes = ["comments_without_case", "emails_without_case", "attachments_left_behind", "files"];
  const risks = codes.flatMap((code) => risksNamed(report, code));
  expect(risks.map(({ code, severity, count }) => [code, severity, count])).toEqual(
    codes.map((code) => [code, "warning", null]),
  );
  expect(report.estimate.files).toMatchObject({ count: expect.any(Number), bytes: null });
});

test("questions at which Salesforce fails each time stay without an answer, and do not end the analysis", async () => {
  await org.setRules([
    { object: "Contact", soql: "SELECT", preset: "UNKNOWN_EXCEPTION" },
    { path: "/limits", preset: "UNKNOWN_EXCEPTION" },
  ]);
  const key = await connect(org);
  const mapping = await inOrganization(key.organizationId, () => mapObject(key, impatientClient(), "Contact"));
  expect(mapping).toMatchObject({ sample: { records: 0, milliseconds: 0 }, created_by_year: null });
  expect(mapping.fields.length).toBeGreaterThan(10);
  const { objects } = await survey();
  expect(objects.find(({ name }) => name === "Contact")).toMatchObject({ count: null, readable: true });
  expect(objects.find(({ name }) => name === "Project__c")?.count).toBeGreaterThan(0);
});
