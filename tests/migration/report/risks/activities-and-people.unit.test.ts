import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { emailsOutsideCases, furtherPeople, hiddenEmails } from "@/lib/migration/report/risks/activities-and-people";
import type { SourceRecord } from "@/lib/salesforce/query";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

const EVENT_FIELDS = ["IsChild", "IsGroupEvent"];

const fieldsOf = (names: readonly string[]) => ({ fields: names.map((source) => ({ source })) });

/** Asks about further people, and returns the conditions that were sent too. */
async function ask(records: Record<string, SourceRecord[]>, task: string[], event: string[]) {
  const asked: string[] = [];
  const client = new ScriptedSource(records);
  client.beforeQuery = (soql) => asked.push(soql.replace(/.* FROM /, ""));
  const facts = { client, mappings: { Task: fieldsOf(task), Event: fieldsOf(event) } } as unknown as ReportFacts;
  return { risks: await furtherPeople(facts), asked };
}

const one = (prefix: string) => [sourceRecord(prefix, 1)];

test("with Shared Activities tasks and events are counted, but not those that repeat others", async () => {
  const shared = ["WhoCount", "TaskSubtype"];
  const { risks, asked } = await ask({ Task: one("00T"), Event: one("00U") }, shared, ["WhoCount", ...EVENT_FIELDS]);
  expect(asked).toEqual([
    "Task WHERE IsDeleted = false AND (WhoCount > 1) AND TaskSubtype != 'Email'",
    "Event WHERE IsDeleted = false AND (WhoCount > 1 OR IsGroupEvent = true) AND IsChild = false",
  ]);
  expect(risks).toMatchObject([
    { object: "Task", count: 1, title: "1 task has further people" },
    { object: "Event", count: 1, title: "1 event has further people" },
  ]);
});

test("without Shared Activities only events have further people", async () => {
  const { risks, asked } = await ask({ Task: one("00T"), Event: one("00U") }, ["TaskSubtype"], EVENT_FIELDS);
  expect(asked).toEqual(["Event WHERE IsDeleted = false AND (IsGroupEvent = true) AND IsChild = false"]);
  expect(risks).toMatchObject([{ object: "Event", count: 1 }]);
});

test("people whom the Salesforce user sees are kept, and of others the report warns", async () => {
  const activities = { Task: one("00T"), Event: one("00U") };
  const TaskRelation = [sourceRecord("0RT", 1, { TaskId: "00T" })];
  const EventRelation = [sourceRecord("0RE", 1, { EventId: "00U", RelationId: "003" })];
  const { risks } = await ask({ ...activities, TaskRelation, EventRelation }, ["WhoCount"], EVENT_FIELDS);
  expect(risks).toMatchObject([
    {
      severity: "warning",
      detail: expect.stringContaining("Its other contacts stay in Salesforce."),
      recommended_action: expect.stringContaining("export TaskRelation before"),
    },
    {
      severity: "info",
      detail: expect.stringContaining("invitees with their responses, are kept with it as a custom field"),
      recommended_action: "Nothing.",
    },
  ]);
});

test("activities that Salesforce cannot count are warned of without a number, and none is no risk", async () => {
  const { risks } = await ask({ Task: one("00T") }, ["WhoCount"], EVENT_FIELDS);
  expect(risks).toMatchObject([
    { object: "Task" },
    { object: "Event", count: null, title: "Some events may have further people" },
  ]);
  expect((await ask({ Event: [] }, [], EVENT_FIELDS)).risks).toEqual([]);
});

test("e-mails whose case only RelatedToId names are in its thread, and not counted as outside of cases", async () => {
  const asked: string[] = [];
  const client = new ScriptedSource({ EmailMessage: one("02s") });
  client.beforeQuery = (soql) => asked.push(soql);
  const risksFor = (...fields: string[]) =>
    emailsOutsideCases({ client, mappings: { EmailMessage: fieldsOf(fields) } } as unknown as ReportFacts);
  const [risk] = await risksFor("ParentId");
  expect(risk?.detail).toMatch(/or an opportunity or lead if those are migrated/);
  expect(asked.pop()).toMatch(/ParentId = null$/);
  await risksFor("ParentId", "RelatedToId");
  expect(asked.pop()).toMatch(
    /ParentId = null AND \(RelatedToId = null OR RelatedToId < '500.*' OR RelatedToId >= '501/,
  );
});

test.each<[whom: string, found: { allowed: boolean; count: number | null; readable?: boolean }, warnings: number]>([
  ["a user without the permission", { allowed: false, count: 3 }, 1],
  ["a user without the permission, of e-mails that could not be counted", { allowed: false, count: null }, 1],
  ["a user with the permission", { allowed: true, count: 3 }, 0],
  ["an org without e-mails", { allowed: false, count: 0 }, 0],
  ["a user who cannot read e-mails at all", { allowed: false, count: null, readable: false }, 0],
])("%s: hidden drafts and attachments make %s", async (_whom, { allowed, readable = true, count }, warnings) => {
  const client = new ScriptedSource({ UserPermissionAccess: [{ Id: "1", PermissionsModifyAllData: allowed }] });
  const survey = { objects: [{ name: "EmailMessage", count, readable }] };
  const risks = await hiddenEmails({ client, survey } as unknown as ReportFacts);
  expect(risks.map(({ detail }) => detail)).toEqual(
    Array.from({ length: warnings }, () => expect.stringMatching(/drafts .*attachments/) as string),
  );
});
