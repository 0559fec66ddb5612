import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { updateOperation } from "@/lib/records/operations";
import {
  conflictOf,
  conflictsOf,
  decide,
  edit,
  editedOnBothSides,
  change,
  FIRST,
  rerun,
  SECOND,
  THIRD,
} from "@/tests/migration/support/conflicts";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";

beforeEach(() => registerJobSender(async () => undefined));

test("what people keep in custom fields that the org does not have is no conflict, and stays", async () => {
  const own = await editedOnBothSides();
  const { context, ids, key } = own;
  await rerun(own, "decide");
  const open = await conflictOf(own, FIRST);
  const custom_fields = { Note: "seen twice", Region__c: "East", Colour: "red" };
  await edit(context, ids[FIRST], { custom_fields });
  await decide(own, { ids: [open?.id], take: "source" });
  const shown = await conflictOf(own, FIRST);
  expect(shown?.fields.map(({ field }) => field).filter((field) => field.startsWith("custom_fields."))).toEqual([
    "custom_fields.Region__c",
  ]);
  expect(await decide(own, { ids: [open?.id], take: "source" })).toMatchObject({ decided: 1 });
  expect((await recordsOf("accounts", key.organizationId))[FIRST]).toMatchObject({
    name: "Theirs",
    custom_fields: { Note: "seen twice", Region__c: "North", Colour: "red" },
  });
});

test.each([
  [{}, { phone: null, version: 4, imported_version: 4 }],
  [{ phone: "ours" }, { phone: "5", version: 4, imported_version: 1 }],
])("what is written where no field goes to any more is decided about with the rest: %o", async (fields, expected) => {
  const own = await editedOnBothSides();
  const { context, ids, key, source } = own;
  await edit(context, ids[SECOND], { name: "Account 2", phone: "5" });
  change(source, 2, { Name: "Theirs" });
  await edit(context, ids[THIRD], { phone: "5" });
  const objects = { Account: { selected: true, fields: { Phone: null }, values: {} } };
  const again = () => runMigration(key, source, { configuration: { repeat: "decide", objects } });
  await again();
  const open = await conflictOf(own, SECOND);
  expect(open?.fields).toEqual([
    { field: "name", ours: "Account 2", source: "Theirs", taken: null },
    { field: "phone", ours: "5", source: null, taken: null },
  ]);
  // Alone, it stays without a question.
  expect(await conflictOf(own, THIRD)).toBeUndefined();
  expect(await decide(own, { ids: [open?.id], take: "source", fields })).toMatchObject({ decided: 1 });
  await again();
  const here = await recordsOf("accounts", key.organizationId);
  expect(here[SECOND]).toMatchObject({ name: "Theirs", ...expected });
  expect(here[THIRD]).toMatchObject({ phone: "5" });
});

test("a decision stands when one of its fields is left out", async () => {
  const own = await editedOnBothSides();
  const { context, ids, key, source } = own;
  await edit(context, ids[SECOND], { name: "Ours" });
  change(source, 2, { Name: "Theirs" });
  await rerun(own, "decide");
  const { id } = (await conflictOf(own, SECOND)) ?? {};
  expect(await decide(own, { ids: [id], take: "ours" })).toMatchObject({ decided: 1 });
  const objects = { Account: { selected: true, fields: { Phone: null }, values: {} } };
  await runMigration(key, source, { configuration: { repeat: "decide", objects } });
  expect(await conflictOf(own, SECOND)).toMatchObject({ id, state: "decided" });
});

function entry(number: number, parent: number) {
  return sourceRecord("00a", number, { ParentId: sourceId("500", parent), CommentBody: `Entry ${number}` });
}

test("an entry that moves to another case by a decision is numbered in its thread", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const context = await createContext({ organizationId: key.organizationId });
  const source = new ScriptedSource({
    Case: [1, 2].map((number) => sourceRecord("500", number, { Subject: "S" })),
    CaseComment: [entry(1, 1), entry(2, 1), entry(3, 2), entry(4, 2)],
  });
  await runMigration(key, source);
  const before = await recordsOf("case_comments", key.organizationId);
  const moved = before[sourceId("00a", 1)];
  await run(updateOperation("case_comments"), context, { id: String(moved?.id), body: "Edited" });
  Object.assign(source.records.CaseComment?.[0] ?? {}, { ParentId: sourceId("500", 2) });
  await runMigration(key, source, { configuration: { repeat: "decide" } });
  const [conflict] = await conflictsOf({ key, context });
  const given = { ids: [conflict?.id], take: "ours", fields: { case_id: "source" } };
  expect(await decide({ key, context }, given)).toMatchObject({ decided: 1 });
  const after = await recordsOf("case_comments", key.organizationId);
  const places = [1, 3, 4].map((number) => after[sourceId("00a", number)]).map((one) => [one?.case_id, one?.position]);
  const target = before[sourceId("00a", 3)]?.case_id;
  expect(places).toEqual([1, 2, 3].map((position) => [target, position]));
});

test("an e-mail that is edited here differs in what was edited alone, and then in nothing", async () => {
  const key = await createMigration(["Case", "EmailMessage"]);
  const context = await createContext({ organizationId: key.organizationId });
  const at = "2024-05-02T10:00:00.000+0000";
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "S" })],
    EmailMessage: [
      sourceRecord("02s", 1, { ParentId: sourceId("500", 1), TextBody: "Mail", HtmlBody: null, MessageDate: at }),
    ],
  });
  await runMigration(key, source);
  const id = String((await recordsOf("case_comments", key.organizationId))[sourceId("02s", 1)]?.id);
  await run(updateOperation("case_comments"), context, { id, body: "Edited" });
  const again = () => runMigration(key, source, { configuration: { repeat: "decide" } });
  Object.assign(source.records.EmailMessage?.[0] ?? {}, { TextBody: "Corrected" });
  await again();
  expect((await conflictsOf({ key, context })).map(({ fields }) => fields)).toEqual([
    [{ field: "body", ours: "Edited", source: "Corrected", taken: null }],
  ]);
  await run(updateOperation("case_comments"), context, { id, body: "Corrected" });
  expect(await again()).toMatchObject({ lines: { EmailMessage: { unchanged: 1, skipped: 0 } } });
});
