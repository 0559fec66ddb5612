import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { ACCOUNT, CASE, chain, CONTACT, lacking, only, source } from "@/tests/migration/support/related-records";
import {
  createMigration,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { startRetry } from "@/tests/migration/support/within";
import { add, delta } from "@/tests/migration/support/delta";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

test("with leave_out, what lacks a record is skipped with its reason, and so is what lacks that in turn", async () => {
  const key = await createMigration();
  const org = source();
  org.records.Contact?.push(sourceRecord("003", 2, { LastName: "Gone", AccountId: sourceId("001", 9) }));
  org.records.Case?.push(sourceRecord("500", 2, { Subject: "X", ContactId: sourceId("003", 2) }));
  org.records.CaseComment?.push(
    sourceRecord("00a", 1, { ParentId: CASE, CommentBody: "One" }),
    sourceRecord("00a", 2, { ParentId: sourceId("500", 2), CommentBody: "Two" }),
  );
  const finished = await runMigration(key, org, {
    configuration: only(AUTOMATIC_OBJECTS, {
      Contact: { AccountId: "leave_out" },
      Case: { ContactId: "leave_out" },
      CaseComment: { ParentId: "leave_out" },
      Task: { WhoId: "leave_out" },
    }),
  });
  expect(finished).toMatchObject({
    status: "completed",
    lines: {
      Contact: { created: 1, skipped: 1 },
      Case: { created: 1, skipped: 1 },
      CaseComment: { created: 1, skipped: 1, failed: 0 },
      Task: { created: 2, skipped: 1 },
    },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("003", 2)]: lacking("AccountId", sourceId("001", 9)),
    [sourceId("500", 2)]: lacking("ContactId", sourceId("003", 2)),
    [sourceId("00a", 2)]: lacking("ParentId", sourceId("500", 2)),
    [sourceId("00T", 3)]: lacking("WhoId", sourceId("00Q", 1)),
  });
});

test("with leave_out, records are imported whose parents come later in the order of ids", async () => {
  const key = await createMigration(["Account"]);
  const parents: Record<number, number> = { 1: 2, 2: 5, 3: 9, 4: 3, 6: 5, 7: 4 };
  const Account = [1, 2, 3, 4, 5, 6, 7].map((number) =>
    sourceRecord("001", number, {
      Name: `A${number}`,
      ParentId: parents[number] ? sourceId("001", parents[number]) : null,
    }),
  );
  const org = new ScriptedSource({ Account });
  const pages = { configuration: only(["Account"], { Account: { ParentId: "leave_out" } }) };
  const finished = await runMigration(key, org, pages);
  expect(finished).toMatchObject({ status: "completed", lines: { Account: { created: 4, skipped: 3 } } });
  const accounts = await recordsOf("accounts", key.organizationId);
  expect(Object.keys(accounts).toSorted()).toEqual([1, 2, 5, 6].map((number) => sourceId("001", number)));
  expect(accounts[sourceId("001", 1)]).toMatchObject({ parent_account_id: accounts[sourceId("001", 2)]?.id });
  expect(accounts[sourceId("001", 2)]).toMatchObject({ parent_account_id: accounts[sourceId("001", 5)]?.id });
});

test("with leave_out, parents may come on later pages and slices", async () => {
  const key = await createMigration(["Account"]);
  const Account = [...chain(1, 150, 400), ...chain(151, 260, 999), sourceRecord("001", 400, { Name: "Top" })];
  const finished = await runMigration(key, new ScriptedSource({ Account }), {
    configuration: only(["Account"], { Account: { ParentId: "leave_out" } }),
    milliseconds: 0,
  });
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 261, created: 151, skipped: 110, failed: 0 } },
  });
  const again = await runMigration(key, new ScriptedSource({ Account }), {
    configuration: only(["Account"], { Account: { ParentId: "leave_out" } }),
  });
  expect(again.lines).toMatchObject({ Account: { unchanged: 151, skipped: 110 } });
});

test("with leave_out, a record that is here follows the source when its link is lost, and finds it again", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const org = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [1, 2].map((number) =>
      sourceRecord("003", number, {
        LastName: "C",
        AccountId: ACCOUNT,
        ReportsToId: number === 1 ? sourceId("003", 2) : null,
      }),
    ),
  });
  const choices = only(["Account", "Contact"], { Contact: { AccountId: "leave_out", ReportsToId: "leave_out" } });
  await runMigration(key, org, { configuration: choices });
  const [first] = org.records.Contact ?? [];
  Object.assign(first ?? {}, { LastName: "D", AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) });
  const again = await runMigration(key, org, { configuration: choices });
  expect(again).toMatchObject({ status: "completed", lines: { Contact: { updated: 1, unchanged: 1, skipped: 0 } } });
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]).toMatchObject({
    last_name: "D",
    account_id: null,
    reports_to_id: null,
    custom_fields: { AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) },
  });
  expect(await issuesOf(key)).toEqual({});

  org.records.Account?.push(sourceRecord("001", 9, { Name: "Late" }));
  org.records.Contact?.push(sourceRecord("003", 9, { LastName: "Boss", AccountId: ACCOUNT }));
  await runMigration(key, org, { configuration: choices });
  const contacts = await recordsOf("contacts", key.organizationId);
  expect(contacts[CONTACT]).toMatchObject({
    account_id: (await recordsOf("accounts", key.organizationId))[sourceId("001", 9)]?.id,
    reports_to_id: contacts[sourceId("003", 9)]?.id,
    custom_fields: {},
  });
});

test("with leave_out, a retry and a delta make the link that a record which is here has lost", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const org = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [1, 2].map((number) => sourceRecord("003", number, { LastName: "C", AccountId: ACCOUNT })),
  });
  const choices = only(["Account", "Contact"], { Contact: { AccountId: "leave_out" } });
  org.now = new Date();
  await runMigration(key, org, { configuration: choices });
  const [failed, late] = [sourceRecord("001", 8, { Name: "B", CreatedDate: "broken" }), sourceId("001", 9)];
  org.records.Account?.push(failed);
  org.records.Contact?.forEach((contact, index) => Object.assign(contact, { AccountId: [failed.Id, late][index] }));
  await runMigration(key, org, { configuration: choices });
  const accountsOf = async () => {
    const contacts = await recordsOf("contacts", key.organizationId);
    const accounts = await recordsOf("accounts", key.organizationId);
    const extIds = new Map(Object.entries(accounts).map(([extId, { id }]) => [id, extId]));
    return [1, 2].map((number) => extIds.get(contacts[sourceId("003", number)]?.account_id) ?? null);
  };
  expect(await accountsOf()).toEqual([null, null]);
  Object.assign(failed, { CreatedDate: "2024-03-01T09:00:00.000+0000" });
  await workToTheEnd(await transaction((tx) => startRetry(tx, key)), org);
  expect(await accountsOf()).toEqual([failed.Id, null]);
  org.now = new Date(org.now.getTime() + 60_000);
  add(org, "Account", sourceRecord("001", 9, { Name: "Late" }));
  await delta(key, org);
  expect(await accountsOf()).toEqual([failed.Id, late]);
});
