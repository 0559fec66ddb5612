import { beforeAll, beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import {
  account,
  change,
  conflictOf,
  conflictsOf,
  decide,
  DONE,
  edit,
  editedOnBothSides,
  FIRST,
  FOURTH,
  type Imported,
  rerun,
  SECOND,
  THIRD,
} from "@/tests/migration/support/conflicts";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { eventsOf, run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

test("the source wins by default, as it always did", async () => {
  const imported = await editedOnBothSides();
  const { status, lines } = await runMigration(imported.key, imported.source);
  expect([status, lines.Account]).toMatchObject(["completed", { updated: 3, unchanged: 1, skipped: 0 }]);
  expect((await recordsOf("accounts", imported.key.organizationId))[FIRST]).toMatchObject({ name: "Theirs" });
  expect(await conflictsOf(imported)).toEqual([]);
});

test("ours wins: what was edited here stays, is counted and listed; what was not follows the source", async () => {
  const imported = await editedOnBothSides();
  const { organizationId } = imported.key;
  const before = await recordsOf("accounts", organizationId);
  // The sum closes in every run, and nothing changes with a repetition.
  for (const updated of [1, 0])
    expect(await rerun(imported, "ours_wins")).toEqual([
      "completed",
      { created: 0, updated, unchanged: 2 - updated, skipped: 2, failed: 0 },
    ]);
  const after = await recordsOf("accounts", organizationId);
  expect([after[FIRST], after[SECOND]]).toEqual([before[FIRST], before[SECOND]]);
  expect(after[THIRD]).toMatchObject({ phone: "3", version: 2, imported_version: 2 });
  expect(await issuesOf(imported.key)).toMatchObject({
    [FIRST]: { outcome: "skipped", code: "edited_here", field: expect.stringContaining("name") as unknown },
    [SECOND]: { outcome: "skipped", code: "edited_here", field: "phone" },
  });
  // An edit that agrees with the source again is none.
  await edit(imported.context, imported.ids[SECOND], { phone: "3" });
  expect(await rerun(imported, "ours_wins")).toMatchObject(["completed", { unchanged: 3, skipped: 1 }]);
});

test("what nobody imported before is ours, however it came to its source id", async () => {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  await run(createOperation("accounts"), context, { name: "Made here", ext_id: FIRST });
  const source = new ScriptedSource({ Account: [account(1)] });
  expect(await rerun({ key, source }, "ours_wins")).toMatchObject(["completed", { skipped: 1 }]);
  expect((await recordsOf("accounts", key.organizationId))[FIRST]).toMatchObject({ name: "Made here", version: 1 });
});

test("the reasons are the same with events, and for cases with comments as for accounts", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const context = await createContext({ organizationId: key.organizationId });
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "One", CaseNumber: "00001001" })],
    CaseComment: [sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "Hello" })],
  });
  await runMigration(key, source);
  const comments = await recordsOf("case_comments", key.organizationId);
  await run(updateOperation("case_comments"), context, { id: comments[sourceId("00a", 1)]?.id, body: "Edited" });
  const { status, lines } = await runMigration(key, source, { configuration: { repeat: "decide", send_events: true } });
  expect([status, lines.Case?.unchanged, lines.CaseComment?.skipped]).toEqual(["completed", 1, 1]);
  expect(await conflictsOf({ context, key }, { object: "CaseComment" })).toMatchObject([
    { name: "Edited", fields: [{ field: "body", ours: "Edited", source: "Hello" }] },
  ]);
  expect(await conflictsOf({ context, key }, { object: "Case" })).toEqual([]);
});

/** Each test goes on where the one before stopped. */
let imported: Imported;

beforeAll(async () => {
  registerJobSender(async () => undefined);
  imported = await editedOnBothSides();
});

test("decide: nothing is overwritten, and every field that differs is listed with both values", async () => {
  expect(await rerun(imported, "decide")).toEqual([
    "completed",
    { created: 0, updated: 1, unchanged: 1, skipped: 2, failed: 0 },
  ]);
  expect(await issuesOf(imported.key)).toMatchObject({
    [FIRST]: { code: "undecided" },
    [SECOND]: { code: "undecided" },
  });
  expect(await conflictOf(imported, FIRST)).toMatchObject({
    object: "Account",
    resource: "accounts",
    ext_id: FIRST,
    state: "open",
    fields: [
      { field: "custom_fields.Region__c", ours: "East", source: "North", taken: null },
      { field: "industry", ours: null, source: "Energy", taken: null },
      { field: "name", ours: "Ours", source: "Theirs", taken: null },
    ],
  });
  expect((await conflictOf(imported, SECOND))?.fields).toEqual([
    { field: "phone", ours: "2", source: "3", taken: null },
  ]);
});

test("a repeated run lists the same conflicts, and not those that are gone", async () => {
  const before = await conflictOf(imported, SECOND);
  change(imported.source, 2, { Phone: "4" });
  await rerun(imported, "decide");
  expect(await conflictsOf(imported)).toHaveLength(2);
  const after = await conflictOf(imported, SECOND);
  expect([after?.fields[0]?.source, after?.id === before?.id]).toEqual(["4", false]);
  change(imported.source, 2, { Phone: "2" });
  await rerun(imported, "decide");
  expect(await conflictsOf(imported)).toHaveLength(1);
  change(imported.source, 2, { Phone: "3" });
  await rerun(imported, "decide");
  expect(await conflictsOf(imported)).toHaveLength(2);
});

test("a record that is edited once more is not overwritten: its conflict shows the present values", async () => {
  const open = await conflictOf(imported, FIRST);
  await edit(imported.context, imported.ids[FIRST], { name: "Ours again", website: "https://ours.example" });
  expect(await decide(imported, { ids: [open?.id], take: "source" })).toMatchObject({
    decided: 0,
    not_decided: [{ id: open?.id, code: "conflict" }],
  });
  expect((await recordsOf("accounts", imported.key.organizationId))[FIRST]).toMatchObject({ name: "Ours again" });
  const shown = await conflictOf(imported, FIRST);
  expect(shown).toMatchObject({ id: open?.id, state: "open" });
  expect(shown?.fields).toContainEqual({ field: "name", ours: "Ours again", source: "Theirs", taken: null });
});

test("fields are taken one by one: the others stay edited, and the next run remembers what was decided", async () => {
  const open = await conflictOf(imported, FIRST);
  const given = { ids: [open?.id], take: "ours", fields: { name: "source", "custom_fields.Region__c": "source" } };
  expect(await decide(imported, given)).toEqual({ decided: 1, not_decided: [], ...DONE });
  const stored = (await recordsOf("accounts", imported.key.organizationId))[FIRST];
  expect(stored).toMatchObject({
    name: "Theirs",
    industry: null,
    custom_fields: { Note: "seen", Region__c: "North" },
    imported_version: 1,
    version: 4,
  });
  const events = await eventsOf(imported.ids[FIRST] ?? "");
  expect(events.at(-1)).toMatchObject({ type: "account.updated", previous: { name: "Ours again" } });
  expect(await conflictOf(imported, FIRST)).toMatchObject({ state: "decided" });
  expect(await issuesOf(imported.key)).toMatchObject({ [FIRST]: { code: "edited_here" } });
  expect(await rerun(imported, "decide")).toMatchObject(["completed", { updated: 0, skipped: 2 }]);
  expect(await conflictsOf(imported, { state: "open" })).toMatchObject([{ record_id: imported.ids[SECOND] }]);
  // Salesforce has another value than the one that was decided about.
  change(imported.source, 1, { Industry: "Water" });
  await rerun(imported, "decide");
  expect((await conflictOf(imported, FIRST))?.state).toBe("open");
});

test("who loses the race for a decision learns that it was made, not that the field is unknown", async () => {
  const other = await editedOnBothSides();
  await rerun(other, "decide");
  const open = await conflictOf(other, SECOND);
  const given = { ids: [open?.id], take: "ours", fields: { phone: "source" } };
  const answers = await Promise.all([decide(other, given), decide(other, given)]);
  expect(answers.map(({ decided }) => decided).toSorted()).toEqual([0, 1]);
  expect(answers.flatMap(({ not_decided: left }) => left)).toMatchObject([{ id: open?.id, code: "decided" }]);

  const partly = await conflictOf(other, FIRST);
  const take = (name: string) => decide(other, { ids: [partly?.id], take: "ours", fields: { name } });
  expect(await take("source")).toMatchObject({ decided: 1 });
  expect(await take("ours")).toMatchObject({
    decided: 0,
    not_decided: [{ code: "decided", detail: "Salesforce's value of `name` has been taken already." }],
  });
});

test("all of an object: the source is taken, the run counts it, and the records count as imported", async () => {
  expect(await decide(imported, { object: "Account", take: "source" })).toEqual({
    decided: 2,
    not_decided: [],
    ...DONE,
  });
  const stored = await recordsOf("accounts", imported.key.organizationId);
  expect(stored[FIRST]).toMatchObject({ industry: "Water", version: 5, imported_version: 5 });
  // The org has no such fields, so the source has no say in them.
  expect(stored[FIRST]).toMatchObject({ website: "https://ours.example", custom_fields: { Note: "seen" } });
  expect(stored[SECOND]).toMatchObject({ phone: "3", version: 3, imported_version: 3 });
  expect(await issuesOf(imported.key)).toEqual({});
  const { rows } = await pool().query(
    `SELECT updated::int, unchanged::int, skipped::int FROM migration_objects WHERE migration_id = $1`,
    [imported.key.migrationId],
  );
  expect(rows).toEqual([{ updated: 2, unchanged: 2, skipped: 0 }]);
  expect(await rerun(imported, "decide")).toMatchObject(["completed", { unchanged: 4, skipped: 0 }]);
  const [decided] = await conflictsOf(imported, { state: "decided" });
  expect(await decide(imported, { ids: [decided?.id], take: "ours" })).toMatchObject({
    decided: 0,
    not_decided: [{ code: "decided" }],
  });
  const { rows: audited } = await pool().query(
    `SELECT details - '{migration_id,org_name,host}'::text[] AS details FROM audit_events
     WHERE organization_id = $1 AND action = 'migration.conflicts_decided' ORDER BY id`,
    [imported.key.organizationId],
  );
  expect(audited.map(({ details }) => details as unknown)).toEqual([
    { take: "ours", records: 1, fields: ["name", "custom_fields.Region__c"] },
    { take: "source", records: 2, object: "Account", fields: [] },
  ]);
});

/** Two conflicts, of which one request holds only one. */
async function largeConflicts(): Promise<Imported> {
  const large = await editedOnBothSides();
  await rerun(large, "decide");
  await pool().query(
    `UPDATE migration_conflicts SET source = source || jsonb_build_object('custom_fields.Large', repeat('x', 5000000))
     WHERE migration_id = $1`,
    [large.key.migrationId],
  );
  return large;
}

test("records that are too large together are refused by ids, and decided in turn by object", async () => {
  const other = await largeConflicts();
  const ids = (await conflictsOf(other)).map(({ id }) => id);
  // A page of the list ends early for the same reason.
  expect(ids).toHaveLength(1);
  expect((await conflictsOf(other, { cursor: ids[0] })).map(({ id }) => ids.push(id))).toHaveLength(1);
  await expect(decide(other, { ids, take: "ours" })).rejects.toMatchObject({ code: "payload_too_large" });
  const all = { object: "Account", take: "ours" };
  expect(await decide(other, all)).toEqual({ decided: 1, not_decided: [], has_more: true });
  expect(await decide(other, all)).toEqual({ decided: 1, not_decided: [], has_more: false });
});

test("a request by object goes on behind those that cannot be decided", async () => {
  const other = await largeConflicts();
  const { rows } = await pool().query<{ id: string; record_id: string }>(
    "SELECT id, record_id FROM migration_conflicts WHERE migration_id = $1 ORDER BY created_at, id",
    [other.key.migrationId],
  );
  await edit(other.context, rows[0]?.record_id, { phone: "once more" });
  expect(await decide(other, { object: "Account", take: "source" })).toMatchObject({
    decided: 1,
    not_decided: [{ id: rows[0]?.id, code: "conflict" }],
    has_more: false,
  });
});

test("what cannot be stored, is deleted, or is not there, is said record by record; the rest is decided", async () => {
  for (const extId of [THIRD, FOURTH]) await edit(imported.context, imported.ids[extId], { phone: "here" });
  change(imported.source, 3, { ParentId: FIRST });
  await rerun(imported, "decide");
  const [third, fourth] = [await conflictOf(imported, THIRD), await conflictOf(imported, FOURTH)];
  await run(deleteOperation("accounts"), imported.context, { id: imported.ids[FIRST] });
  const nobody = "01900000-0000-7000-8000-000000000000";
  const answer = await decide(imported, { ids: [third?.id, fourth?.id, nobody], take: "source" });
  expect(answer).toMatchObject({ decided: 1 });
  expect(answer.not_decided).toMatchObject([
    { id: nobody, code: "not_found" },
    { id: third?.id, code: "not_storable" },
  ]);
  expect((await conflictOf(imported, THIRD))?.state).toBe("open");
  const misspelled = decide(imported, { ids: [third?.id], take: "ours", fields: { fone: "source" } });
  await expect(misspelled).rejects.toMatchObject({ errors: [{ pointer: "/fields/fone", code: "unknown_field" }] });
  await run(deleteOperation("accounts"), imported.context, { id: imported.ids[THIRD] });
  expect(await decide(imported, { ids: [third?.id], take: "source" })).toMatchObject({
    decided: 0,
    not_decided: [{ id: third?.id, code: "not_found" }],
  });
});
