import { afterAll, beforeAll, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { getAnalysisProgress } from "@/lib/migration/report/analysis-progress";
import { keepFindings } from "@/lib/migration/report/draft";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import {
  assessRisks,
  completeReport,
  findDuplicatesOf,
  findMigration,
  mapFields,
  readAutomationsAndLimits,
  survey,
} from "@/tests/migration/support/within";
import { connect, reportOf } from "@/tests/migration/support/analyze-org";
import { createMigration } from "@/tests/migration/support/run-migration";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

let org: RunningOrg;
beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
});
afterAll(() => org.stop());

async function progressOf({ organizationId, migrationId }: MigrationKey) {
  const context = await createContext({ organizationId });
  return valueOf(await execute(getAnalysisProgress, context, { migration_id: migrationId }));
}

async function waitingOf({ organizationId, migrationId }: MigrationKey) {
  return (await findMigration(organizationId, migrationId)).waiting;
}

test("what is read now, and what has been counted, is told step by step", async () => {
  const key = await connect(org);
  expect(await progressOf(key)).toMatchObject({ status: "analyzing", step: "counting", objects: [], others: null });
  const counted = [{ name: "Account", label: "Accounts", custom: false, count: 7, readable: true }];
  await inOrganization(key.organizationId, () => keepFindings(key, { counted }));
  expect(await progressOf(key)).toMatchObject({
    step: "counting",
    object: null,
    objects: [{ object: "Account", label: "Accounts", count: 7, fields_read: false }],
    others: null,
  });
  const [first = "Account", second, ...others] = await survey(key);
  await mapFields(key, first);
  const reading = await progressOf(key);
  expect(reading).toMatchObject({ step: "fields", object: second });
  expect(reading.objects.filter(({ fields_read: isRead }) => isRead).map(({ object }) => object)).toEqual([first]);
  for (const object of [second, ...others]) if (object) await mapFields(key, object);
  expect(await progressOf(key)).toMatchObject({ step: "automations", object: null });
  await readAutomationsAndLimits(key);
  await findDuplicatesOf(key, "Account");
  expect(await progressOf(key)).toMatchObject({ step: "checks" });
  await assessRisks(key);
  await completeReport(key);
  const listed = (await reportOf(key)).inventory.filter(({ status }) => status !== "automatic");
  expect(reading.others).toMatchObject({
    objects: listed.length,
    all_counted: listed.every(({ count }) => count !== null),
  });
  expect(await progressOf(key)).toMatchObject({ status: "ready", step: null, objects: [], others: null });
});

test("an analysis says that it waits while another one of the organization has begun", async () => {
  const first = await connect(org);
  const second = await createMigration([], undefined, first.organizationId);
  await pool().query("UPDATE migrations SET status = 'analyzing', report = NULL WHERE id = $1", [second.migrationId]);
  expect(await waitingOf(second)).toBeNull();
  await inOrganization(first.organizationId, () => keepFindings(first, { counted: [] }));
  expect(await waitingOf(first)).toBeNull();
  expect(await waitingOf(second)).toMatchObject({ for: "other_analysis", next_attempt_at: null });
  await pool().query("UPDATE migrations SET status = 'analysis_failed' WHERE id = $1", [first.migrationId]);
  expect(await waitingOf(second)).toBeNull();
});
