import { afterAll, beforeAll, expect, test } from "vitest";

import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { attachPeople } from "@/lib/migration/pipeline/read/read-activity-people";
import { openClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

const [JO, KIM] = [sourceId("003", 1), sourceId("003", 2)];
const event = (number: number, fields: SourceRecord) =>
  sourceRecord("00U", number, { Subject: "Meeting", WhoId: JO, IsChild: false, IsGroupEvent: false, ...fields });
const related = (prefix: string, number: number, fields: SourceRecord) =>
  sourceRecord(prefix, number, { Relation: { Type: "Contact", Name: "Kim" }, RelationId: KIM, ...fields });
const invitee = (number: number, fields: SourceRecord) =>
  related("0RE", number, { EventId: sourceId("00U", 1), Status: "New", Response: null, ...fields });

/** An org in which Shared Activities are off. */
function org(): ScriptedSource {
  return new ScriptedSource({
    Contact: [JO, KIM].map((_, index) => sourceRecord("003", index + 1, { LastName: "Weber" })),
    Task: [sourceRecord("00T", 1, { Subject: "Call", WhoId: JO })],
    Event: [event(1, { IsGroupEvent: true }), event(2, {}), event(3, { IsGroupEvent: true, IsChild: true })],
    EventRelation: [invitee(1, {}), invitee(2, { RelationId: JO }), invitee(3, { IsDeleted: true })],
  });
}

/** An org in which Shared Activities are on. */
function sharingOrg(): ScriptedSource {
  const [who, what] = [
    { RelationId: JO, IsWhat: false, IsParent: true, IsInvitee: false },
    { RelationId: sourceId("001", 1), IsWhat: true, IsParent: true, IsInvitee: false },
  ];
  const ofTask = { TaskId: sourceId("00T", 1), IsWhat: false };
  const tasks = [2, 1].map((WhoCount, index) =>
    sourceRecord("00T", index + 1, { Subject: "Call", WhoId: JO, WhoCount }),
  );
  return new ScriptedSource({
    ...org().records,
    Task: tasks,
    Event: [event(1, { WhoCount: 2 }), event(2, { WhoCount: 1 })],
    EventRelation: [invitee(1, { ...who, RelationId: KIM }), invitee(2, who), invitee(3, what)],
    TaskRelation: [related("0RT", 1, ofTask), related("0RT", 2, { ...ofTask, RelationId: JO })],
  });
}

const OBJECTS = ["Contact", "Task", "Event"];

async function imported(source: ScriptedSource, configuration: Partial<Configuration> = {}) {
  const key = await createMigration(OBJECTS);
  const asked: string[] = [];
  source.beforeQuery = (soql) => {
    if (/FROM (Task|Event)Relation /.test(soql)) asked.push(soql);
  };
  expect(await runMigration(key, source, { configuration })).toMatchObject({ status: "completed" });
  const fieldsOf = async (id: string) =>
    (await recordsOf("activities", key.organizationId))[id]?.custom_fields as Record<string, unknown>;
  return { key, asked, fieldsOf };
}

const KIM_INVITED = {
  Id: sourceId("0RE", 1),
  RelationId: KIM,
  Type: "Contact",
  Name: "Kim",
  IsInvitee: true,
  Status: "New",
};

const sent = (number: number, email: number, RelationType: string) =>
  related("0CZ", number, { EmailMessageId: sourceId("02s", email), RelationType });

test("an e-mail keeps its recipients who are records, in a case and outside of cases", async () => {
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "Case" })],
    EmailMessage: [sourceId("500", 1), null].map((ParentId, index) =>
      sourceRecord("02s", index + 1, { ParentId, RelatedToId: null, TextBody: "Mail" }),
    ),
    EmailMessageRelation: [sent(1, 1, "ToAddress"), sent(2, 1, "FromAddress"), sent(3, 2, "BccAddress")],
  });
  const key = await createMigration(["Case", "EmailMessage"]);
  await runMigration(key, source);
  const kim = { RelationId: KIM, Type: "Contact", Name: "Kim" };
  const entries = await recordsOf("case_comments", key.organizationId);
  expect(entries[sourceId("02s", 1)]?.custom_fields).toMatchObject({
    EmailMessageRelations: [{ ...kim, Id: sourceId("0CZ", 1), RelationType: "ToAddress" }],
  });
  const activities = await recordsOf("activities", key.organizationId);
  expect(activities[sourceId("02s", 2)]?.custom_fields).toMatchObject({
    EmailMessageRelations: [{ ...kim, Id: sourceId("0CZ", 3), RelationType: "BccAddress" }],
  });
  expect(await runMigration(key, source)).toMatchObject({ lines: { EmailMessage: { unchanged: 2 } } });
});

test("without Shared Activities a group event keeps its invitees, and no other activity is asked about", async () => {
  const source = org();
  const { key, asked, fieldsOf } = await imported(source);
  expect(await fieldsOf(sourceId("00U", 1))).toMatchObject({
    EventRelations: [KIM_INVITED, { ...KIM_INVITED, Id: sourceId("0RE", 2), RelationId: JO }],
  });
  expect(await fieldsOf(sourceId("00U", 2))).not.toHaveProperty("EventRelations");
  expect(asked).toEqual([expect.stringContaining(`WHERE EventId IN ('${sourceId("00U", 1)}') AND`)]);
  const again = await runMigration(key, source);
  expect(again.lines.Event).toMatchObject({ updated: 0, unchanged: 2, skipped: 1 });
});

test("with Shared Activities tasks and events keep their further contacts", async () => {
  const { asked, fieldsOf } = await imported(sharingOrg());
  const kim = { RelationId: KIM, Type: "Contact", Name: "Kim" };
  expect(await fieldsOf(sourceId("00U", 1))).toMatchObject({
    EventRelations: [{ ...kim, Id: sourceId("0RE", 1), IsInvitee: false, Status: "New" }],
  });
  expect((await fieldsOf(sourceId("00T", 1))).TaskRelations).toEqual([{ ...kim, Id: sourceId("0RT", 1) }]);
  for (const id of [sourceId("00U", 2), sourceId("00T", 2)])
    expect(Object.keys(await fieldsOf(id)).filter((name) => name.includes("Relation"))).toEqual([]);
  expect(asked).toHaveLength(2);
});

test("an event that has nobody else is not asked about, though the fields that say so are left out", async () => {
  const fields = { IsGroupEvent: null, WhoCount: null };
  const { asked } = await imported(sharingOrg(), { objects: { Event: { selected: true, fields, values: {} } } });
  expect(asked.join(" ")).toContain(`EventId IN ('${sourceId("00U", 1)}') AND`);
});

test("where the Salesforce user does not see who the people are, nobody is asked for", async () => {
  const source = org();
  for (const relation of source.records.EventRelation ?? []) delete relation.RelationId;
  const { asked, fieldsOf } = await imported(source);
  expect(asked).toEqual([]);
  expect(await fieldsOf(sourceId("00U", 1))).not.toHaveProperty("EventRelations");
});

test("a changed answer, another invitee and a removed one make a full run update the event", async () => {
  const source = org();
  const { key, fieldsOf } = await imported(source);
  const [first, second] = source.records.EventRelation ?? [];
  Object.assign(first ?? {}, { Status: "Declined", Response: "On holiday" });
  Object.assign(second ?? {}, { IsDeleted: true });
  source.records.EventRelation?.push(invitee(4, {}));
  expect((await runMigration(key, source)).lines.Event).toMatchObject({ updated: 1, unchanged: 1 });
  expect(await fieldsOf(sourceId("00U", 1))).toMatchObject({
    EventRelations: [
      { ...KIM_INVITED, Status: "Declined", Response: "On holiday" },
      { ...KIM_INVITED, Id: sourceId("0RE", 4) },
    ],
  });
});

const [SEED, SIZE] = [3, 13_000];

let sandbox: RunningOrg;
beforeAll(async () => {
  sandbox = await startSandboxOrg({ records: SIZE, seed: SEED });
});
afterAll(() => sandbox.stop());

function sourceRecords(object: string): Record<string, unknown>[] {
  return Array.from({ length: countOf(SEED, SIZE, object).total }, (_, n) => recordAt(SEED, SIZE, object, n));
}

test("archived events have their invitees, by name, and none that was removed", async () => {
  const client = openClient({
    instanceUrl: sandbox.instanceUrl,
    accessToken: sandbox.accessToken,
    apiVersion: "67.0",
  });
  const records: SourceRecord[] = sourceRecords("Event").map(({ Id, IsChild, IsGroupEvent, WhoId }) => {
    return { Id, IsChild, IsGroupEvent, WhoId };
  });
  await attachPeople(client, "Event", records);
  const names = new Map(["User", "Contact", "Lead"].flatMap(sourceRecords).map(({ Id, Name }) => [Id, Name]));
  const invited = sourceRecords("EventRelation").filter(({ IsDeleted }) => IsDeleted !== true);
  const told = records.flatMap(({ Id, EventRelations }) =>
    ((EventRelations ?? []) as SourceRecord[]).map((person) => [Id, person.RelationId, person.Name, person.Status]),
  );
  expect(told).toEqual(
    invited.map(({ EventId, RelationId, Status }) => [EventId, RelationId, names.get(RelationId), Status]),
  );
  expect(invited.length).toBeLessThan(countOf(SEED, SIZE, "EventRelation").total);
  expect(countOf(SEED, SIZE, "EventRelation").archived).toBeGreaterThan(0);
});
