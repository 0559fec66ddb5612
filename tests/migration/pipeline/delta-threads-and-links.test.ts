import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { execute } from "@/lib/operation";
import { createCommentOfCase } from "@/lib/records/case-thread";
import { createOperation, restoreOperation } from "@/lib/records/operations";
import { add, change, contextOf, deletedOf, delta, imported, source } from "@/tests/migration/support/delta";
import { recordsOf } from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startDelta, workSlice } from "@/tests/migration/support/within";
import { run as runOperation } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction as asOwner } from "@/tests/support/owner";

test("entries of a delta that was stopped before it numbered them are numbered by the next one", async () => {
  const org = source();
  const key = await imported(org);
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: sourceId("500", 2), CommentBody: "First of its case" }));
  const run = await transaction((tx) => startDelta(tx, key));
  org.now = new Date(org.now.getTime() + 60_000);
  const entry = async () => (await recordsOf("case_comments", key.organizationId))[sourceId("00a", 4)];
  while (!(await entry())) await workSlice(run, async () => org, 0);
  expect(await entry()).toMatchObject({ position: 0 });
  await pool().query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [key.migrationId]);
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { CaseComment: { created: 0 } } });
  expect(await entry()).toMatchObject({ position: 1 });
});

test("a comment that somebody adds while a delta numbers its thread has a position of its own", async () => {
  const org = source();
  const key = await imported(org);
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: sourceId("500", 1), CommentBody: "New there" }));
  const context = await createContext({ organizationId: key.organizationId });
  const { id } = (await recordsOf("cases", key.organizationId))[sourceId("500", 1)] ?? {};
  const { added, finished } = await asOwner(async (client) => {
    await client.query("LOCK TABLE events IN EXCLUSIVE MODE");
    const adding = execute(createCommentOfCase, context, { id, body: "New here" });
    await untilLockWaits(1);
    const running = delta(key, org);
    await untilLockWaits(2);
    return { added: adding, finished: running };
  });
  await added;
  expect(await finished).toMatchObject({ status: "completed", lines: { CaseComment: { created: 1 } } });
  const text = "SELECT position FROM case_comments WHERE case_id = $1 ORDER BY position";
  const { rows } = await pool().query<{ position: number }>(text, [id]);
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
});

test("an entry that a delta brings is at its place by time at once, before the delta ends", async () => {
  const org = source();
  const key = await imported(org);
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: sourceId("500", 1), CommentBody: "Between" }));
  Object.assign(org.records.CaseComment?.at(-1) ?? {}, { CreatedDate: "2024-03-01T09:01:30.000+0000" });
  const run = await transaction((tx) => startDelta(tx, key));
  org.now = new Date(org.now.getTime() + 60_000);
  const entries = () => recordsOf("case_comments", key.organizationId);
  while (!(await entries())[sourceId("00a", 4)]) await workSlice(run, async () => org, 0);
  const thread = Object.values(await entries()).toSorted((one, other) => Number(one.position) - Number(other.position));
  expect(thread.map(({ position, ext_id: extId }) => [position, extId])).toEqual([
    [1, sourceId("00a", 1)],
    [2, sourceId("00a", 4)],
    [3, sourceId("00a", 2)],
    [4, sourceId("00a", 3)],
  ]);
  const { rows } = await pool().query("SELECT status FROM migration_objects WHERE migration_id = $1 AND object = $2", [
    key.migrationId,
    "CaseComment",
  ]);
  expect(rows).toEqual([{ status: "running" }]);
});

test.each([
  ["the parent first", [1, 2]],
  ["the child first", [2, 1]],
])("an account and its parent are deleted together, and restored with their link: %s", async (_, order) => {
  const org = source();
  Object.assign(org.records.Account?.[1] ?? {}, { ParentId: sourceId("001", 1) });
  const key = await imported(org);
  const before = await recordsOf("accounts", key.organizationId);
  const contacts = await recordsOf("contacts", key.organizationId);
  for (const index of [0, 1]) change(org, "Account", index, { IsDeleted: true });
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({ Account: 2 });
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toEqual([sourceId("001", 3)]);
  for (const number of order)
    await execute(restoreOperation("accounts"), contextOf(key), { id: before[sourceId("001", number)]?.id });
  const after = await recordsOf("accounts", key.organizationId);
  expect(after[sourceId("001", 2)]).toMatchObject({ parent_account_id: before[sourceId("001", 1)]?.id });
  const linksOf = (records: typeof contacts) => Object.values(records).map(({ account_id: account }) => account);
  expect(linksOf(await recordsOf("contacts", key.organizationId)).toSorted()).toEqual(linksOf(contacts).toSorted());
});

test("an entry that a delta moves to another case takes its place there by time", async () => {
  const org = source();
  for (const [number, hour] of [
    [4, "08"],
    [5, "10"],
  ] as const)
    org.records.CaseComment?.push(
      sourceRecord("00a", number, {
        ParentId: sourceId("500", 2),
        CommentBody: "Of the other case",
        CreatedDate: `2024-03-01T${hour}:00:00.000+0000`,
      }),
    );
  const key = await imported(org);
  change(org, "CaseComment", 1, { ParentId: sourceId("500", 2) });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { CaseComment: { updated: 1 } } });
  const [entries, cases] = [
    await recordsOf("case_comments", key.organizationId),
    await recordsOf("cases", key.organizationId),
  ];
  const threadOf = (number: number) =>
    Object.values(entries)
      .filter(({ case_id: owner }) => owner === cases[sourceId("500", number)]?.id)
      .toSorted((one, other) => Number(one.position) - Number(other.position))
      .map(({ ext_id: extId, position }) => [position, extId]);
  expect(threadOf(1)).toEqual([
    [1, sourceId("00a", 1)],
    [3, sourceId("00a", 3)],
  ]);
  expect(threadOf(2)).toEqual([
    [1, sourceId("00a", 4)],
    [2, sourceId("00a", 2)],
    [3, sourceId("00a", 5)],
  ]);
});

test("a link and a position that a later run gives raise the version and show in lists by change", async () => {
  const org = source();
  Object.assign(org.records.Account?.[0] ?? {}, { ParentId: sourceId("001", 9) });
  const key = await imported(org);
  const before = await recordsOf("accounts", key.organizationId);
  const child = before[sourceId("001", 1)];
  expect(child).toMatchObject({ parent_account_id: null, version: 1 });
  const entry = (await recordsOf("case_comments", key.organizationId))[sourceId("00a", 3)];
  expect(entry).toMatchObject({ position: 3, version: 2, imported_version: 2 });
  add(org, "Account", sourceRecord("001", 9, { Name: "Above" }));
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: sourceId("500", 1), CommentBody: "Before all others" }));
  Object.assign(org.records.CaseComment?.at(-1) ?? {}, { CreatedDate: "2001-01-01T00:00:00.000+0000" });
  await delta(key, org);
  const linked = (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)];
  expect(linked).toMatchObject({ version: 2, imported_version: 2 });
  expect(linked?.parent_account_id).not.toBeNull();
  const moved = (await recordsOf("case_comments", key.organizationId))[sourceId("00a", 3)];
  expect(moved).toMatchObject({ position: 4, version: 3, imported_version: 3 });
  for (const [now, then] of [
    [linked, child],
    [moved, entry],
  ])
    expect(Date.parse(String(now?.updated_at))).toBeGreaterThan(Date.parse(String(then?.updated_at)));
});

test("a delta that has read nothing of an object does not look through it for links", async () => {
  const org = source();
  Object.assign(org.records.Account?.[0] ?? {}, { ParentId: sourceId("001", 9) });
  const key = await imported(org);
  const context = await createContext({ organizationId: key.organizationId });
  const above = { ...NEEDED.accounts, ext_id: sourceId("001", 9) };
  const { id } = await runOperation(createOperation("accounts"), context, above);
  const parent = async () => (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)]?.parent_account_id;
  await delta(key, org);
  expect(await parent()).toBeNull();
  change(org, "Account", 1, { Name: "Changed" });
  await delta(key, org);
  expect(await parent()).toBe(id);
});
