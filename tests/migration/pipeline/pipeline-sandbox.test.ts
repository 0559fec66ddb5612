import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { createMigration, type Finished, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"];
const RECORDS = 1500;

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;
let first: Finished;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, seed: 11, pageBytes: 400_000 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  key = await createMigration();
  first = await runMigration(key, client);
});
afterEach(() => org.setRules([]));
afterAll(() => org.stop());

async function everything(organizationId: string) {
  return Object.fromEntries(
    await Promise.all(
      RESOURCES.map(async (resource) => [resource, await recordsOf(resource, organizationId)] as const),
    ),
  );
}

test("an org with messy data is imported completely: every record is accounted for", async () => {
  expect(first).toMatchObject({ failure: null, status: expect.stringMatching(/^completed/) });
  const lines = Object.values(first.lines);
  expect(lines.reduce((sum, line) => sum + line.source, 0)).toBe(RECORDS);
  for (const line of lines) expect(line.created + line.skipped + line.failed).toBe(line.source);
  expect(first.lines.Task?.skipped).toBeGreaterThan(0);
  const stored = await everything(key.organizationId);
  const created = lines.reduce((sum, line) => sum + line.created, 0);
  expect(Object.values(stored).reduce((sum, records) => sum + Object.keys(records).length, 0)).toBe(created);
});

test("run again, it creates 0 and changes 0, and not one column differs", async () => {
  const before = await everything(key.organizationId);
  const again = await runMigration(key, client);
  expect(again.failure).toBeNull();
  for (const line of Object.values(again.lines)) expect(line).toMatchObject({ created: 0, updated: 0 });
  expect(await everything(key.organizationId)).toEqual(before);
});

test("threads are numbered from 1 without gaps, in the order of time", async () => {
  const wrong = await pool().query(
    `SELECT ext_id FROM (
       SELECT ext_id, position, row_number() OVER (PARTITION BY case_id ORDER BY position) AS place,
         created_at < lag(created_at) OVER (PARTITION BY case_id ORDER BY position) AS backwards
       FROM case_comments WHERE organization_id = $1
     ) AS entries WHERE position <> place OR backwards`,
    [key.organizationId],
  );
  expect(wrong.rows).toEqual([]);
});

test("the result does not depend on the size of pages and slices", async () => {
  const other = await runMigration(await createMigration(), client, { milliseconds: 0 });
  expect(other.lines).toEqual(first.lines);
});

test("an object that the source never counts in time is counted by its ids, and its sum is equal", async () => {
  const [one, other] = [await createMigration(["Account", "Task"]), await createMigration(["Account", "Task"])];
  const expected = await runMigration(one, client);
  await org.setRules([{ preset: "QUERY_TIMEOUT", soql: "COUNT() FROM Task" }]);
  expect(await runMigration(other, client)).toEqual(expected);
});

test("users that the source does not list in time end the run instead of leaving owners without name", async () => {
  const accounts = await createMigration(["Account"]);
  await org.setRules([{ preset: "QUERY_TIMEOUT", object: "User" }]);
  expect(await runMigration(accounts, client)).toMatchObject({
    status: "failed",
    failure: { detail: expect.stringContaining("QUERY_TIMEOUT") },
  });
});
