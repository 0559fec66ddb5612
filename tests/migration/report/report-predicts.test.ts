import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { analyze, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { finishedOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;

/** Deletes a case but not its comments. */
async function orphanComments(): Promise<void> {
  const [comment] = (await query(client, "SELECT ParentId FROM CaseComment WHERE IsDeleted = false LIMIT 1")).records;
  await org.mutate({ op: "delete", object: "Case", id: String(comment?.ParentId) });
}

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1200, seed: 7 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  await orphanComments();
  key = await connect(org);
  await analyze(key);
  const run = await transaction((tx) => startRun(tx, key));
  await workToTheEnd(run, client);
});
afterAll(() => org.stop());

/** How many records of an object the run left out for a reason. */
async function leftOut(code: string, object: string): Promise<number> {
  const found = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM migration_record_issues WHERE migration_id = $1 AND code = $2 AND object = $3`,
    [key.migrationId, code, object],
  );
  return found.rows[0]?.count ?? 0;
}

test("a run imports as many records as the report counted", async () => {
  const report = await reportOf(key);
  const { lines } = await finishedOf(key);
  for (const { object, source } of Object.values(lines)) {
    // A record that was deleted in the second in which the run begins counts as deleted during the run.
    const there = source - (await leftOut("deleted_in_source", object));
    expect([object, there]).toEqual([object, report.inventory.find((entry) => entry.object === object)?.count]);
  }
});

test("a run skips exactly the records that the report predicts", async () => {
  const report = await reportOf(key);
  const series = (await leftOut("recurrence_series", "Task")) + (await leftOut("recurrence_series", "Event"));
  expect(series).toBeGreaterThan(0);
  expect(risksNamed(report, "recurring_series")[0]?.count).toBe(series);
  expect(await leftOut("invitee_copy", "Event")).toBeGreaterThan(0);
  expect(risksNamed(report, "invitee_copies")[0]?.count).toBe(await leftOut("invitee_copy", "Event"));
});

test("exactly the comments that the report calls orphaned fail", async () => {
  const { lines } = await finishedOf(key);
  expect(lines.CaseComment?.failed).toBeGreaterThan(0);
  expect(risksNamed(await reportOf(key), "comments_without_case")[0]?.count).toBe(lines.CaseComment?.failed);
});

test("the fields of an account are where the report says", async () => {
  const fields = (await reportOf(key)).inventory.find(({ object }) => object === "Account")?.fields ?? [];
  const found = await pool().query<{ names: string[] }>(
    `SELECT array_agg(DISTINCT kept) AS names FROM accounts a, jsonb_object_keys(a.custom_fields) AS kept
      WHERE a.organization_id = $1`,
    [key.organizationId],
  );
  const kept = found.rows[0]?.names ?? [];
  const expected = fields
    .filter(({ target, samples }) => target === "custom_fields" && samples.length > 0)
    .map(({ source }) => source);
  expect(expected.length).toBeGreaterThan(10);
  expect(expected.filter((source) => !kept.includes(source))).toEqual([]);
  expect(fields.filter(({ target, source }) => target === null && kept.includes(source))).toEqual([]);
});
