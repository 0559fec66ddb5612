import { expect, test } from "vitest";

import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { pool } from "@/tests/support/owner";

test("a parent account that is imported after its child is linked, and custom_fields has no trace of it", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: "Child", ParentId: sourceId("001", 2), Region__c: "North" }),
      sourceRecord("001", 2, { Name: "Parent" }),
    ],
  });
  const finished = await runMigration(key, source);
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 2, created: 2, status: "done" } },
  });
  const accounts = await recordsOf("accounts", key.organizationId);
  const [child, parent] = [accounts[sourceId("001", 1)], accounts[sourceId("001", 2)]];
  expect(child).toMatchObject({
    name: "Child",
    parent_account_id: parent?.id,
    custom_fields: { Region__c: "North" },
    version: 2,
    imported_version: 2,
  });
  expect(new Date(String(child?.created_at)).toISOString()).toBe("2024-03-01T09:01:00.000Z");
  expect(new Date(String(child?.updated_at)).toISOString()).toBe("2025-03-01T09:01:00.000Z");
});

test("the same migration run again creates 0 and changes 0", async () => {
  const key = await createMigration(["Account", "Contact", "Case"]);
  const source = new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: "A", ParentId: sourceId("001", 2), AnnualRevenue: 12.5 }),
      sourceRecord("001", 2, { Name: "B" }),
    ],
    Contact: [
      sourceRecord("003", 1, {
        LastName: "C",
        AccountId: sourceId("001", 9),
        Birthdate: "1980-02-30",
        ReportsToId: sourceId("003", 9),
      }),
    ],
    Case: [
      sourceRecord("500", 1, {
        CaseNumber: "00001001",
        Status: "Working",
        Priority: "Normal",
        ParentId: sourceId("500", 2),
      }),
      sourceRecord("500", 2),
    ],
  });
  await runMigration(key, source);
  const before = await recordsOf("accounts", key.organizationId);
  const again = await runMigration(key, source);
  expect(again.status).toBe("completed");
  for (const line of Object.values(again.lines))
    expect(line).toMatchObject({ created: 0, updated: 0, unchanged: line.source });
  expect(await recordsOf("accounts", key.organizationId)).toEqual(before);
});

test("a record that changed in the source is updated, keeps id and creation time, and gets a new version", async () => {
  const key = await createMigration(["Account"]);
  const records = [sourceRecord("001", 1, { Name: "Before" }), sourceRecord("001", 2, { Name: "Same" })];
  await runMigration(key, new ScriptedSource({ Account: records }));
  const before = await recordsOf("accounts", key.organizationId);
  const finished = await runMigration(
    key,
    new ScriptedSource({ Account: [{ ...records[0], Name: "After" }, records[1] ?? {}] }),
  );
  expect(finished.lines.Account).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
  const after = await recordsOf("accounts", key.organizationId);
  const changed = sourceId("001", 1);
  expect(after[changed]).toMatchObject({
    name: "After",
    version: 2,
    id: before[changed]?.id,
    created_at: before[changed]?.created_at,
  });
  expect(after[sourceId("001", 2)]).toEqual(before[sourceId("001", 2)]);
});

test("unresolved references stay empty, and their source ids are kept", async () => {
  const key = await createMigration(["Contact", "Task"]);
  const source = new ScriptedSource({
    Contact: [
      sourceRecord("003", 1, { LastName: "C", AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) }),
    ],
    Task: [
      sourceRecord("00T", 1, {
        Subject: "T",
        WhoId: sourceId("00Q", 1),
        WhatId: sourceId("a00", 1),
        AccountId: sourceId("001", 9),
      }),
    ],
  });
  await runMigration(key, source);
  const contact = (await recordsOf("contacts", key.organizationId))[sourceId("003", 1)];
  expect(contact).toMatchObject({
    account_id: null,
    reports_to_id: null,
    custom_fields: { AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) },
  });
  const task = (await recordsOf("activities", key.organizationId))[sourceId("00T", 1)];
  expect(task).toMatchObject({
    lead_id: null,
    account_id: null,
    custom_fields: { WhoId: sourceId("00Q", 1), WhatId: sourceId("a00", 1), AccountId: sourceId("001", 9) },
  });
});

test("an activity about a deleted account belongs to the account of its AccountId", async () => {
  const key = await createMigration(["Account", "Task"]);
  const [here, alsoHere, gone] = [1, 2, 9].map((number) => sourceId("001", number)) as [string, string, string];
  const source = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" }), sourceRecord("001", 2, { Name: "B" })],
    Task: [
      sourceRecord("00T", 1, { Subject: "T", WhatId: gone, AccountId: here }),
      sourceRecord("00T", 2, { Subject: "T", WhatId: alsoHere, AccountId: here }),
      sourceRecord("00T", 3, { Subject: "T", WhatId: here, AccountId: gone }),
      sourceRecord("00T", 4, { Subject: "T", WhatId: gone, AccountId: sourceId("001", 8) }),
    ],
  });
  await runMigration(key, source);
  const accounts = await recordsOf("accounts", key.organizationId);
  const tasks = await recordsOf("activities", key.organizationId);
  expect([1, 2, 3, 4].map((number) => tasks[sourceId("00T", number)])).toMatchObject([
    { account_id: accounts[here]?.id, custom_fields: { WhatId: gone } },
    { account_id: accounts[alsoHere]?.id, custom_fields: { AccountId: here } },
    { account_id: accounts[here]?.id, custom_fields: { AccountId: gone } },
    { account_id: null, custom_fields: { WhatId: gone, AccountId: sourceId("001", 8) } },
  ]);
  expect(tasks[sourceId("00T", 1)]?.custom_fields).not.toHaveProperty("AccountId");
  const again = await runMigration(key, source);
  expect(again.lines.Task).toMatchObject({ updated: 0, unchanged: 4 });
});

test("a case comment without its case fails by name, and the others are stored", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "S" })],
    CaseComment: [
      sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "One" }),
      sourceRecord("00a", 2, { ParentId: sourceId("500", 7), CommentBody: "Two" }),
      sourceRecord("00a", 3, { ParentId: null, CommentBody: "Three" }),
    ],
  });
  const finished = await runMigration(key, source);
  expect(finished).toMatchObject({
    status: "completed_with_errors",
    lines: { CaseComment: { source: 3, created: 1, failed: 2 } },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("00a", 2)]: { outcome: "failed", code: "missing_parent", field: "ParentId", value: sourceId("500", 7) },
    [sourceId("00a", 3)]: {
      outcome: "failed",
      code: "missing_parent",
      reason: "This case comment belongs to no case.",
    },
  });
});

test("a record with too large custom fields fails by name, with the field to leave out", async () => {
  const key = await createMigration(["Account"]);
  const texts = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`Text${index}__c`, "x".repeat(index === 3 ? 130_000 : 110_000)]),
  );
  const Account = [
    sourceRecord("001", 1, { Name: "Large", ...texts }),
    sourceRecord("001", 2, { Name: "Small", Text3__c: "x".repeat(130_000) }),
  ];
  const finished = await runMigration(key, new ScriptedSource({ Account }));
  expect(finished).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { source: 2, created: 1, failed: 1 } },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("001", 1)]: { outcome: "failed", code: "too_large", field: "Text3__c" },
  });
});

test("rows that the database refuses are found one by one, and the rest of the page is stored", async () => {
  const key = await createMigration(["Account"]);
  const Account = Array.from({ length: 50 }, (_, index) =>
    sourceRecord("001", index + 1, { Name: `Account ${index + 1}` }),
  );
  // Ids that records with other ext_ids already have: a conflict that no mapping can predict.
  await runMigration(key, new ScriptedSource({ Account: Account.slice(10, 12) }));
  await pool().query(`UPDATE accounts SET ext_id = ext_id || '-moved' WHERE organization_id = $1`, [
    key.organizationId,
  ]);
  const finished = await runMigration(key, new ScriptedSource({ Account }));
  expect(finished).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { source: 50, created: 48, failed: 2 } },
  });
  const issues = await issuesOf(key);
  expect(Object.keys(issues).toSorted()).toEqual([sourceId("001", 11), sourceId("001", 12)]);
  const [taken] = (
    await pool().query("SELECT id FROM accounts WHERE organization_id = $1 AND ext_id = $2", [
      key.organizationId,
      `${sourceId("001", 11)}-moved`,
    ])
  ).rows as { id: string }[];
  expect(issues[sourceId("001", 11)]).toMatchObject({
    outcome: "failed",
    code: "id_taken",
    reason: expect.stringContaining(taken?.id ?? "no id"),
  });
});
