import { afterAll, beforeAll, expect, test } from "vitest";

import { SCOPES } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { cancelMigration, pauseMigration, resumeMigration } from "@/lib/migration/runs/control-run";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { proveObject } from "@/lib/migration/proof/prove-object";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, type Operation } from "@/lib/operation";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query, select, type SourceRecord } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { recordJobs } from "@/tests/migration/support/api-service";
import {
  createMigration,
  type Finished,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { startRetry, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

/** More than one batch of a retry. */
const FAILING = 430;

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 3000, seed: 5 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
});
afterAll(() => org.stop());

function ask(operation: Operation, { organizationId, migrationId }: MigrationKey): Promise<unknown> {
  const userId = "01900000-0000-7000-8000-000000000001";
  const person = { userId, role: "admin" as const, clientId: null, scopes: new Set(SCOPES), address: null };
  return execute(operation, { requestId: "test", organizationId, ...person }, { migration_id: migrationId });
}

async function contacts(): Promise<SourceRecord[]> {
  const text = select({ fields: ["Id", "CreatedDate"], from: "Contact", orderBy: "Id", limit: FAILING });
  return (await query(client, text, { all: false })).records;
}

const dated = (records: readonly SourceRecord[], date?: string) =>
  org.mutate(
    ...records.map(({ Id, CreatedDate }) => {
      const fields = { CreatedDate: date ?? String(CreatedDate) };
      return { op: "update" as const, object: "Contact", id: String(Id), fields, silent: true };
    }),
  );

/** Contacts and the cases that name them, by source ids. */
async function contents(organizationId: string): Promise<string[]> {
  const { rows } = await pool().query<{ line: string }>(
    `SELECT concat_ws(' ', c.ext_id, a.ext_id, m.ext_id, c.email, c.created_at) AS line FROM contacts c
       LEFT JOIN accounts a ON a.organization_id = c.organization_id AND a.id = c.account_id
       LEFT JOIN contacts m ON m.organization_id = c.organization_id AND m.id = c.reports_to_id
     WHERE c.organization_id = $1
     UNION ALL SELECT concat_ws(' ', s.ext_id, c.ext_id) FROM cases s
       LEFT JOIN contacts c ON c.organization_id = s.organization_id AND c.id = s.contact_id
     WHERE s.organization_id = $1 ORDER BY line`,
    [organizationId],
  );
  return rows.map(({ line }) => line);
}

/** The same contents as those of an organization that imports everything now. */
async function expectAsImported(key: MigrationKey, atLeast: number): Promise<void> {
  const whole = await createMigration();
  await runMigration(whole, client);
  expect(Object.keys(await recordsOf("contacts", whole.organizationId)).length).toBeGreaterThanOrEqual(atLeast);
  expect(await contents(key.organizationId)).toEqual(await contents(whole.organizationId));
}

async function expectProven(key: MigrationKey): Promise<void> {
  const { rows } = await pool().query("SELECT read_until FROM migrations WHERE id = $1", [key.migrationId]);
  for (const object of AUTOMATIC_OBJECTS) {
    const window = { until: rows[0].read_until };
    const proof = await inOrganization(key.organizationId, () =>
      proveObject({ key, client, window }, object, undefined),
    );
    expect(proof).toMatchObject({ object, missing: 0, proven: true });
  }
}

const idOf = (record: SourceRecord | undefined): string => String(record?.Id);

function contactsIn({ lines: { Contact } }: Finished) {
  if (!Contact) throw new Error("No contacts were read.");
  return Contact;
}

test("a retry that is paused, raced and cancelled ends as a full import does, and is proven", async () => {
  recordJobs();
  const failing = await contacts();
  await dated(failing, "1900-01-01T00:00:00.000+0000");
  const key = await createMigration();
  const first = await runMigration(key, client);
  expect(first).toMatchObject({ status: "completed_with_errors", lines: { Contact: { failed: FAILING } } });

  const before = contactsIn(first);
  const [purged, deleted, stillBroken, ...mended] = failing;
  await dated(mended);
  await org.mutate(
    { op: "purge", object: "Contact", id: idOf(purged) },
    { op: "delete", object: "Contact", id: idOf(deleted) },
  );
  const run = await transaction((tx) => startRetry(tx, key));
  while (contactsIn(await finishedOf(key)).failed === FAILING) await workSlice(run, async () => client, 0);
  await ask(pauseMigration, key);
  const paused = await finishedOf(key);
  expect(contactsIn(paused)).toMatchObject({
    failed: FAILING - 400 + 1,
    skipped: before.skipped + 2,
  });
  expect(await workSlice(run, async () => client, 60_000)).toBe("ended");
  expect(await finishedOf(key)).toEqual(paused);

  await ask(resumeMigration, key);
  await Promise.all([workSlice(run, async () => client, 0), workSlice(run, async () => client, 0)]);
  await ask(cancelMigration, key);
  const again = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(again, client);

  const ended = await finishedOf(key);
  expect(ended.status).toBe("completed_with_errors");
  for (const { source, created, updated, unchanged, skipped, failed } of Object.values(ended.lines))
    expect(created + updated + unchanged + skipped + failed).toBe(source);
  expect(contactsIn(ended)).toMatchObject({ failed: 1, source: before.source });
  expect(contactsIn(ended).created).toBe(before.created + mended.length);
  expect(await issuesOf(key)).toMatchObject({
    [idOf(purged)]: { outcome: "skipped", code: "gone_in_source" },
    [idOf(deleted)]: { outcome: "skipped", code: "deleted_in_source" },
    [idOf(stillBroken)]: { outcome: "failed", code: "invalid_created_date" },
  });

  await expectAsImported(key, mended.length);
  await expectProven(key);
});

/**
 * How many records of each object were left out for each reason. Posts without content are left out for what they are,
 * or for what they show; either reason is true.
 */
async function reasonsOf({ migrationId }: MigrationKey): Promise<string[]> {
  const { rows } = await pool().query<{ line: string }>(
    `SELECT concat_ws(' ', object, outcome, code, count(*)) AS line FROM migration_record_issues
     WHERE migration_id = $1 AND object NOT IN ('Account', 'FeedItem')
     GROUP BY object, outcome, code ORDER BY line`,
    [migrationId],
  );
  return rows.map(({ line }) => line);
}

test("a retry with a mended configuration ends with the counts and reasons of a full import", async () => {
  const whole = await createMigration();
  const wanted = await runMigration(whole, client);
  const left = { selected: true, fields: {}, values: {}, relationships: { AccountId: "leave_out" as const } };
  const key = await createMigration();
  // Without accounts there are no cases, and so no e-mails: their tasks stand for them.
  const first = await runMigration(key, client, {
    configuration: { objects: { Account: { selected: false, fields: {}, values: {} }, Contact: left, Case: left } },
  });
  expect(first.lines.EmailMessage?.failed).toBeGreaterThan(0);
  expect(first.lines.Task?.created).toBeGreaterThan(wanted.lines.Task?.created ?? Infinity);
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [key.migrationId, {}]);
  const run = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(run, client);
  const { lines } = await finishedOf(key);
  const { Account: _, ...others } = wanted.lines;
  expect(lines).toEqual(others);
  expect(await reasonsOf(key)).toEqual(await reasonsOf(whole));
});
