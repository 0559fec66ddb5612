import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { Report } from "@/lib/migration/report/report-schema";
import { summarizeFields } from "@/lib/migration/report/wording";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { analyze, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { type Finished, finishedOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

/** As `npm run demo` migrates it, but for its size. */
const DEMO = { records: 800, seed: 1 };

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg(DEMO);
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

/** Analyzes the org with the present permissions of its user, and runs the migration with the defaults. */
async function foretellAndRun(): Promise<{ key: MigrationKey; report: Report; finished: Finished }> {
  const key = await connect(org);
  await analyze(key);
  const report = await reportOf(key);
  const run = await transaction((tx) => startRun(tx, key));
  await workToTheEnd(
    run,
    openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" }),
  );
  return { key, report, finished: await finishedOf(key) };
}

/** "Task skipped mirrored_by_email: 789", as the report predicts. */
function foretold({ inventory }: Report): string[] {
  return inventory
    .flatMap(({ object, left_out }) =>
      left_out.map(({ outcome, code, count }) => `${object} ${outcome} ${code}: ${count}`),
    )
    .toSorted();
}

/** The same for the result of the run. */
async function happened({ migrationId }: MigrationKey): Promise<string[]> {
  const found = await pool().query<{ line: string }>(
    `SELECT object || ' ' || outcome || ' ' || code || ': ' || count(*) AS line FROM migration_record_issues
     WHERE migration_id = $1 GROUP BY object, outcome, code`,
    [migrationId],
  );
  return found.rows.map(({ line }) => line).toSorted();
}

function totalsOf({ lines }: Finished) {
  const sum = (count: (line: Finished["lines"][string]) => number) =>
    Object.values(lines).reduce((total, line) => total + count(line), 0);
  return {
    records: sum((line) => line.source),
    imported: sum((line) => line.created),
    skipped: sum((line) => line.skipped),
    failed: sum((line) => line.failed),
  };
}

test("the report of the demo org predicts exactly what the run imports and skips, and why", async () => {
  const { key, report, finished } = await foretellAndRun();
  expect(finished.status).toBe("completed");
  expect(foretold(report)).toEqual(await happened(key));
  expect(report.estimate).toMatchObject({ ...totalsOf(finished), failed: 0 });
  const { imported, skipped } = report.estimate;
  const skippedText = skipped.toLocaleString("en");
  expect(skipped).toBeGreaterThan(60);
  expect(report.readiness.reasons[0]).toMatch(
    new RegExp(
      `^${imported.toLocaleString("en")} of 800 records will be imported; ${skippedText} will be skipped on ` +
        `purpose: \\d+ copies of e-mails, `,
    ),
  );
  const announced = ["copies_of_emails", "recurring_series", "invitee_copies", "posts_of_records", "feed_notices"].map(
    (code) => risksNamed(report, code)[0]?.count ?? 0,
  );
  expect(announced.reduce((sum, count) => sum + count, 0)).toBe(skipped);
  const event = report.inventory.find(({ object }) => object === "Event");
  expect(event?.reason).toMatch(/^[\d,]+ of [\d,]+ records will be imported; \d+ will be skipped on purpose: /);
});

test("without access to Case the totals exclude cases, and their e-mails and tasks are predicted", async () => {
  await org.setRules({ access: { hiddenObjects: ["Case"] } });
  const { key, report, finished } = await foretellAndRun();
  expect(finished.lines).not.toHaveProperty("CaseComment");
  expect(report.estimate).toMatchObject(totalsOf(finished));
  expect(report.estimate.failed).toBeGreaterThan(0);
  expect(foretold(report)).toEqual(await happened(key));
  expect(report.readiness.reasons[0]).toMatch(
    new RegExp(
      `of ${report.estimate.records.toLocaleString("en")} records will be imported; .* without their case cannot ` +
        `be imported\\.$`,
    ),
  );
  expect(risksNamed(report, "emails_without_case")[0]).toMatchObject({
    count: report.estimate.failed,
    severity: "warning",
  });
});

test("in an org that cannot join tasks with e-mails, copies are counted by the e-mails", async () => {
  await org.setRules([
    {
      soql: "Id IN (SELECT ActivityId",
      status: 400,
      body: [{ errorCode: "MALFORMED_QUERY", message: "no joins here" }],
    },
  ]);
  const key = await connect(org);
  await analyze(key);
  const report = await reportOf(key);
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const emails = await query(
    client,
    "SELECT COUNT_DISTINCT(ActivityId) tasks FROM EmailMessage WHERE IsDeleted = false",
    { all: true },
  );
  expect(foretold(report)).toContain(`Task skipped mirrored_by_email: ${Number(emails.records[0]?.tasks)}`);
});

test("records that could not be counted are skipped without a number", async () => {
  await org.setRules([{ soql: "IsChild = true", preset: "QUERY_TIMEOUT" }]);
  const key = await connect(org);
  await analyze(key);
  const report = await reportOf(key);
  expect(foretold(report)).toContain("Event skipped invitee_copy: null");
  expect(report.readiness.reasons[0]).toMatch(
    /^About .* of 800 records will be imported; .*some invitees' copies of events[.,]/,
  );
});

test("the reason of an object and the summary of its fields agree, and “auto” only adds user stamps", async () => {
  const key = await connect(org);
  await analyze(key);
  const supported = (await reportOf(key)).inventory.filter(({ status }) => status === "automatic");
  expect(supported.map(({ object }) => object)).toContain("EmailMessage");
  for (const { object, compatibility, reason, fields } of supported.filter(
    ({ compatibility }) => compatibility !== "manual_review",
  )) {
    const custom = fields.filter(({ source, target }) => target === "custom_fields" && !source.endsWith("ById")).length;
    expect([object, reason]).toEqual([object, expect.stringContaining(summarizeFields(fields))]);
    expect([object, compatibility]).toEqual([object, custom === 0 ? "auto" : "partial"]);
    expect(reason).not.toMatch(/every field|[Ee]very record/);
  }
});
