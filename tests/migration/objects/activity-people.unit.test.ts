import { expect, test } from "vitest";

import { keepPeople, mayHavePeople, setPeople, type WithPeople } from "@/lib/migration/objects/activity-people";
import type { SourceRecord } from "@/lib/salesforce/query";
import { sourceId } from "@/tests/migration/support/scripted-source";

const WHO = sourceId("003", 1);

const relation = (number: number, fields: SourceRecord) => ({ Id: sourceId("0RE", number), EventId: "00U", ...fields });

/** The custom fields of an activity with these relations. */
function kept(activity: WithPeople, relations: readonly SourceRecord[]): Record<string, unknown> {
  const record: SourceRecord = { Id: "00U", WhoId: WHO };
  const draft = { columns: {}, references: {}, customFields: {} };
  setPeople(activity, record, relations);
  keepPeople(activity, record, draft);
  return draft.customFields;
}

test("an event keeps its further contacts and its invitees, without its WhoId and WhatId, in the order given", () => {
  const user = { RelationId: sourceId("005", 1), Relation: { attributes: {}, Type: "User", Name: "Ada\0 Byron" } };
  const answer = { Status: "Accepted", Response: "In time", RespondedDate: "2025-11-03T09:00:00.000+0000" };
  const relations = [
    relation(1, { RelationId: sourceId("001", 1), IsWhat: true, IsInvitee: false }),
    relation(2, { RelationId: WHO, IsWhat: false, IsInvitee: false }),
    relation(3, { ...user, ...answer, IsWhat: false, IsInvitee: true }),
    relation(4, { RelationId: sourceId("003", 2), Relation: null, IsWhat: false, IsInvitee: false, Status: null }),
  ];
  expect(kept("Event", relations)).toEqual({
    EventRelations: [
      {
        Id: sourceId("0RE", 3),
        RelationId: sourceId("005", 1),
        Type: "User",
        Name: "Ada Byron",
        IsInvitee: true,
        ...answer,
      },
      { Id: sourceId("0RE", 4), RelationId: sourceId("003", 2), IsInvitee: false },
    ],
  });
  expect(kept("Event", relations.slice(0, 2))).toEqual({});
});

test("the WhoId of an event is kept if invited, as everybody is without Shared Activities", () => {
  const whos = [relation(1, { RelationId: WHO, IsInvitee: true }), relation(2, { RelationId: WHO })];
  for (const who of whos)
    expect(kept("Event", [who])).toEqual({ EventRelations: [{ Id: who.Id, RelationId: WHO, IsInvitee: true }] });
});

test("a task keeps its further contacts, who are not invited", () => {
  const relations = [relation(1, { RelationId: WHO }), relation(2, { RelationId: sourceId("003", 2) })];
  expect(kept("Task", relations)).toEqual({
    TaskRelations: [{ Id: sourceId("0RE", 2), RelationId: sourceId("003", 2) }],
  });
});

test("an activity keeps at most 1,100 people, and says how many there are beyond", () => {
  const relations = Array.from({ length: 1103 }, (_, n) => relation(n, { RelationId: sourceId("005", n) }));
  const { EventRelations, ...rest } = kept("Event", relations);
  expect(EventRelations).toHaveLength(1100);
  expect(rest).toEqual({ "EventRelations.More": 3 });
});

test("all invitees that Salesforce allows are kept, however long their names are", () => {
  const Relation = { Type: "Contact", Name: "x".repeat(255) };
  const relations = Array.from({ length: 1000 }, (_, n) => relation(n, { RelationId: sourceId("005", n), Relation }));
  expect(kept("Event", relations).EventRelations).toHaveLength(1000);
});

test.each<[WithPeople, what: string, SourceRecord, boolean]>([
  ["Event", "with invitees", { IsGroupEvent: true, IsChild: false }, true],
  ["Event", "with several contacts", { IsGroupEvent: false, IsChild: false, WhoCount: 2 }, true],
  ["Event", "with one contact", { IsGroupEvent: false, IsChild: false, WhoCount: 1 }, false],
  ["Event", "of nobody, without Shared Activities", { IsGroupEvent: false, IsChild: false }, false],
  ["Event", "that does not tell", {}, true],
  ["Event", "that is the copy of an invitee", { IsGroupEvent: true, IsChild: true, WhoCount: 2 }, false],
  ["Task", "with several contacts", { WhoCount: 3 }, true],
  ["Task", "with one contact", { WhoCount: 1 }, false],
  ["Task", "without a contact", { WhoCount: null }, false],
  ["Task", "that does not tell", {}, true],
])("%s %s: whether it is asked about is right", (activity, _what, record, asked) => {
  expect(mayHavePeople(activity, record)).toBe(asked);
});

test("an e-mail keeps its recipients who are records, without its sender", () => {
  const person = (number: number, RelationType: string, RelationId: string | null = WHO) => ({
    Id: sourceId("0CZ", number),
    RelationId,
    RelationType,
    Relation: null,
  });
  const recipients = [person(1, "FromAddress"), person(2, "ToAddress"), person(3, "CcAddress", null)];
  expect(kept("EmailMessage", recipients)).toEqual({
    EmailMessageRelations: [{ Id: sourceId("0CZ", 2), RelationId: WHO, RelationType: "ToAddress" }],
  });
  expect(kept("EmailMessage", [person(1, "FromAddress")])).toEqual({});
});
