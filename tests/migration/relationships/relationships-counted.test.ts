import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import {
  type Configuration,
  type RelationshipChoice,
  configurationSchema,
} from "@/lib/migration/configuration/configuration-schema";
import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { listRelationships } from "@/lib/migration/relationships/list-relationships";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect } from "@/tests/migration/support/analyze-org";
import { type Finished, finishedOf, recordsOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

type Choices = Partial<Record<SourceObjectName, Record<string, RelationshipChoice>>>;

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1200, seed: 5 });
  // Every parent that something hangs on loses some of its records.
  for (const object of ["Account", "Contact", "Case"]) {
    const { records } = await query(openOrg(), `SELECT Id FROM ${object} ORDER BY Id LIMIT 40`);
    await org.mutate(
      ...records
        .filter((_, index) => index % 4 === 0)
        .map(({ Id }) => ({ object, op: "delete" as const, id: String(Id) })),
    );
  }
  // Open tasks of e-mails are no copies of these.
  const toDos = "SELECT WhoId FROM Task WHERE TaskSubtype = 'Email' AND IsClosed = false";
  const { records: people } = await query(openOrg(), `SELECT Id FROM Contact WHERE Id IN (${toDos})`);
  await org.mutate(...people.map(({ Id }) => ({ object: "Contact", op: "delete" as const, id: String(Id) })));
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

function openOrg() {
  return openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
}

function choosing(choices: Choices, deselected: readonly SourceObjectName[] = []): Configuration {
  return configurationSchema.parse({
    objects: Object.fromEntries(
      AUTOMATIC_OBJECTS.map((name) => [
        name,
        { selected: !deselected.includes(name), ...(choices[name] && { relationships: choices[name] }) },
      ]),
    ),
  });
}

async function listed({ organizationId, migrationId }: MigrationKey) {
  const context = await createContext({ organizationId });
  return valueOf(await execute(listRelationships, context, { migration_id: migrationId }));
}

/** "Contact AccountId: 12", as counted before the run. */
async function foretold(key: MigrationKey): Promise<Record<string, number | null>> {
  const { data, not_counted_because } = await listed(key);
  expect(not_counted_because).toBeNull();
  const sums: Record<string, number | null> = {};
  for (const { object, field, choice, missing } of data)
    if (choice === "leave_out")
      sums[`${object} ${field}`] = (sums[`${object} ${field}`] ?? 0) + (missing ?? Number.NaN);
  return sums;
}

/** The same after the run. */
async function happened({ migrationId }: MigrationKey): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ link: string; count: number }>(
    `SELECT object || ' ' || field AS link, count(*)::int AS count FROM migration_record_issues
     WHERE migration_id = $1 AND code = 'parent_not_here' GROUP BY object, field`,
    [migrationId],
  );
  return Object.fromEntries(rows.map(({ link, count }) => [link, count]));
}

async function configure(key: MigrationKey, choices: Configuration): Promise<void> {
  const context = await createContext({ organizationId: key.organizationId });
  await execute(putConfiguration, context, { migration_id: key.migrationId, ...choices });
}

async function run(key: MigrationKey): Promise<Finished> {
  const started = await transaction((tx) => startRun(tx, key));
  await workToTheEnd(started, openOrg());
  return finishedOf(key);
}

const nonZero = (counts: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

test.each<[string, Choices, SourceObjectName[]]>([
  [
    "one link each, with what lacks a record that is left out itself",
    {
      Account: { ParentId: "leave_out" },
      Contact: { AccountId: "leave_out" },
      Case: { ContactId: "leave_out" },
      CaseComment: { ParentId: "leave_out" },
      Task: { WhoId: "leave_out" },
      Event: { WhatId: "leave_out" },
    },
    [],
  ],
  [
    "links between records of one object, which Salesforce joins only by the relationship",
    {
      Account: { ParentId: "leave_out" },
      Contact: { ReportsToId: "leave_out" },
      Case: { ParentId: "leave_out" },
    },
    [],
  ],
  [
    "links to an object that is not selected",
    { Contact: { AccountId: "leave_out" }, Task: { WhatId: "leave_out" } },
    ["Account"],
  ],
])("the numbers of records are exactly those that the run leaves out: %s", async (_, choices, deselected) => {
  const key = await connect(org);
  await analyze(key);
  await configure(key, choosing(choices, deselected));
  const before = await foretold(key);
  const finished = await run(key);
  expect(finished.failure).toBeNull();
  expect(Object.keys(nonZero(before)).length).toBeGreaterThan(1);
  expect(await happened(key)).toEqual(nonZero(before));
});

test("of a second run, what is here already is not counted as left out: the run keeps it", async () => {
  const key = await connect(org);
  await analyze(key);
  await configure(key, choosing({}));
  await run(key);
  await configure(
    key,
    choosing({
      Account: { ParentId: "leave_out" },
      Contact: { AccountId: "leave_out" },
      Case: { ContactId: "leave_out" },
    }),
  );
  const before = await foretold(key);
  await run(key);
  expect(await happened(key)).toEqual(nonZero(before));
  expect(nonZero(before)).toEqual({});
});

test("the numbers of empty links are those that the run leaves empty", async () => {
  const key = await connect(org);
  await analyze(key);
  // What no import has imported can have any external id; Salesforce would refuse a query for it.
  await pool().query(
    `INSERT INTO deleted_records (
       organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id, is_part, record, cleared, aliases)
     VALUES ($1, $2, 'accounts', $2, 'ERP-1', now(), $2, false, '{}', '[]', '{}')`,
    [key.organizationId, newId()],
  );
  const { data, not_counted_because } = await listed(key);
  expect(not_counted_because).toBeNull();
  await run(key);
  const contacts = Object.values(await recordsOf("contacts", key.organizationId));
  const empty = contacts.filter(
    ({ account_id, custom_fields }) => account_id === null && "AccountId" in Object(custom_fields),
  );
  const link = data.find(({ object, field }) => object === "Contact" && field === "AccountId");
  expect(link).toMatchObject({ target: "accounts", choice: "heal", choices: ["heal", "keep_id", "leave_out"] });
  expect(link?.missing).toBe(empty.length);
  expect(link?.records).toBe(contacts.filter(({ account_id }) => account_id !== null).length + empty.length);
  expect(data.find(({ object }) => object === "CaseComment")?.choices).toEqual(["heal", "leave_out"]);
  // What is here counts as here, whether or not the run brings it.
  await configure(key, choosing({}, ["Account"]));
  const after = (await listed(key)).data.find(({ object, field }) => object === "Contact" && field === "AccountId");
  expect(after?.missing).toBe(empty.length);
});
