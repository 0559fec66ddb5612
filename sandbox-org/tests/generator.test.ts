import { expect, test } from "vitest";

import { DATA_OBJECTS } from "@/sandbox-org/objects/registry";
import { MIGRATED_SHARES, type MigratedObject } from "@/sandbox-org/generator/population";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";

import { all, byId, type Row, SEED, SIZE } from "./support/records";

const OBJECTS = Object.keys(MIGRATED_SHARES) as MigratedObject[];

const ids = (object: string): Set<unknown> => new Set(all(object).map((row) => row["Id"]));
const count = (object: string, test: (row: Row) => boolean): number => all(object).filter(test).length;

test.each([1, 10, 137, 10_000, 100_000])(
  "an org of %i has that many live records of the nine migrated objects together",
  (size) => {
    expect(OBJECTS.reduce((sum, object) => sum + countOf(SEED, size, object).live, 0)).toBe(size);
  },
);

test("a record is a pure function of seed, size, object and ordinal", () => {
  for (const object of OBJECTS) {
    const first = recordAt(SEED, SIZE, object, 321);
    recordAt(2, SIZE, object, 321);
    expect(recordAt(SEED, SIZE, object, 321)).toEqual(first);
    expect(recordAt(2, SIZE, object, 321)).not.toEqual(first);
  }
});

test.each(OBJECTS)(
  "%s: ids are unique and ascend, IsDeleted agrees with the counts, and about one in 64 is deleted",
  (object) => {
    const list = all(object).map((row) => String(row["Id"]));
    expect(new Set(list).size).toBe(list.length);
    expect(list.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(list);
    expect(count(object, (row) => row["IsDeleted"] === true)).toBe(countOf(SEED, SIZE, object).deleted);
    expect(countOf(SEED, SIZE, object).deleted).toBeGreaterThan(list.length / 80);
  },
);

test("each lookup points at a record, except a few deliberate orphans", () => {
  const lookups = [
    ["Account", "ParentId", "Account"],
    ["Contact", "AccountId", "Account"],
    ["Contact", "ReportsToId", "Contact"],
    ["Case", "AccountId", "Account"],
    ["Case", "ContactId", "Contact"],
    ["Case", "ParentId", "Case"],
    ["Case", "Affected_Product__c", "Product2"],
  ] as const;
  for (const [object, field, target] of lookups) {
    const known = ids(target);
    const filled = all(object).filter((row) => row[field] !== null);
    const orphans = filled.filter((row) => !known.has(row[field]));
    expect(orphans.length, `${object}.${field}`).toBeLessThan(filled.length * 0.08);
  }
  const orphaned = lookups.filter(([object, field, target]) =>
    all(object).some((row) => row[field] !== null && !ids(target).has(row[field])),
  );
  expect(orphaned.length).toBeGreaterThanOrEqual(5);
});

test("some lookups point at deleted records", () => {
  const deleted = new Set(
    all("Account")
      .filter((row) => row["IsDeleted"] === true)
      .map((row) => row["Id"]),
  );
  expect(count("Contact", (row) => deleted.has(row["AccountId"]))).toBeGreaterThan(0);
});

test("comments and e-mails of a case never point at a deleted or missing case", () => {
  const cases = byId("Case");
  const messages = [...all("CaseComment"), ...all("EmailMessage")].filter((row) => row["ParentId"] !== null);
  expect(messages.length).toBeGreaterThan(2000);
  expect(messages.filter((row) => cases.get(row["ParentId"])?.["IsDeleted"] !== false)).toEqual([]);
});

test.each(["Account", "Case"])("%s: parents form no cycle, and some have a later id than their children", (object) => {
  const parents = new Map(all(object).map((row) => [row["Id"], row["ParentId"]]));
  let later = 0;
  for (const [id, parent] of parents) {
    if (parent !== null && String(parent) > String(id)) later += 1;
    const seen = new Set([id]);
    for (let above = parent; above !== null && above !== undefined; above = parents.get(above)) {
      expect(seen.has(above)).toBe(false);
      seen.add(above);
    }
  }
  expect(later).toBeGreaterThan(5);
});

test("a person account and its contact point at each other and have the same values", () => {
  const contacts = byId("Contact");
  const people = all("Account").filter((row) => row["IsPersonAccount"] === true);
  expect(people.length).toBeGreaterThan(50);
  for (const account of people) {
    const contact = contacts.get(account["PersonContactId"]);
    expect(contact).toMatchObject({
      AccountId: account["Id"],
      IsPersonAccount: true,
      IsDeleted: account["IsDeleted"],
      Name: account["Name"],
      LastName: account["LastName"],
      Email: account["PersonEmail"],
      Loyalty_Number__c: account["Loyalty_Number__pc"],
    });
  }
  expect(count("Contact", (row) => row["IsPersonAccount"] === true)).toBe(people.length);
});

/** How often a thread changes from comments to e-mails or back. */
const changes = (thread: readonly { kind: string }[]): number =>
  thread.filter(({ kind }, i) => i > 0 && kind !== thread[i - 1]?.kind).length;

test("messages come after the opening of their case, interleave, and are not always in the order of ids", () => {
  const cases = byId("Case");
  const threads = new Map<unknown, { id: string; kind: string; at: string }[]>();
  for (const [object, stamp] of [
    ["CaseComment", "CreatedDate"],
    ["EmailMessage", "MessageDate"],
  ] as const) {
    for (const row of all(object)) {
      if (row["ParentId"] === null || row[stamp] === null) continue;
      expect(String(row[stamp]) >= String(cases.get(row["ParentId"])?.["CreatedDate"])).toBe(true);
      const thread = threads.get(row["ParentId"]) ?? [];
      thread.push({ id: String(row["Id"]), kind: object, at: String(row[stamp]) });
      threads.set(row["ParentId"], thread);
    }
  }
  const sorted = [...threads.values()].map((thread) =>
    thread.toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1)),
  );
  expect(sorted.filter((thread) => changes(thread) > 2).length).toBeGreaterThan(20);
  const comments = sorted.map((thread) => thread.filter(({ kind }) => kind === "CaseComment").map(({ id }) => id));
  expect(comments.some((list) => list.some((id, i) => i > 0 && id < (list[i - 1] ?? "")))).toBe(true);
  expect(Math.max(...sorted.map((thread) => thread.length))).toBeGreaterThan(30);
});

test("a duplicate contact has the same e-mail address in another case", () => {
  const addresses = all("Contact").flatMap((row) => (typeof row["Email"] === "string" ? [row["Email"]] : []));
  const spellings = Map.groupBy(addresses, (address) => address.toLowerCase());
  expect([...spellings.values()].filter((list) => new Set(list).size > 1).length).toBeGreaterThan(20);
});

test("activities are archived by Salesforce's rule", () => {
  const limit = "2025-06-30";
  expect(count("Event", (row) => row["IsArchived"] === true && String(row["EndDate"]) > limit)).toBe(0);
  expect(count("Event", (row) => row["IsArchived"] === false && String(row["EndDate"]) < limit)).toBe(0);
  expect(count("Task", (row) => row["IsArchived"] === true && row["IsClosed"] === false)).toBe(0);
  expect(countOf(SEED, SIZE, "Task").archived).toBeGreaterThan(countOf(SEED, SIZE, "Task").visible);
});

test("users, contacts and leads are invited to group events, and to none of their copies", () => {
  const events = byId("Event");
  const invited = all("EventRelation").map(({ EventId }) => events.get(EventId));
  expect(invited.filter((event) => event?.["IsGroupEvent"] !== true || event["IsChild"] !== false)).toEqual([]);
  expect(new Set(invited).size).toBe(count("Event", (row) => row["IsGroupEvent"] === true && !row["IsChild"]));
  const prefixes = new Set(all("EventRelation").map(({ RelationId }) => String(RelationId).slice(0, 3)));
  expect(prefixes).toEqual(new Set(["005", "003", "00Q"]));
});

const MESSY_DATA: readonly (readonly [what: string, object: string, test: (row: Row) => boolean])[] = [
  ["cases without subject", "Case", (row) => row["Subject"] === null],
  ["cases owned by a queue", "Case", (row) => String(row["OwnerId"]).startsWith("00G")],
  ["contacts without account", "Contact", (row) => row["AccountId"] === null],
  ["contacts without e-mail", "Contact", (row) => row["Email"] === null],
  ["contacts without first name", "Contact", (row) => row["FirstName"] === null],
  ["e-mails without a case", "EmailMessage", (row) => row["ParentId"] === null],
  ["e-mails with scripts in them", "EmailMessage", (row) => String(row["HtmlBody"]).includes("<script>")],
  ["e-mails of HTML alone", "EmailMessage", (row) => row["TextBody"] === null && row["HtmlBody"] !== null],
  ["public comments", "CaseComment", (row) => row["IsPublished"] === true],
  ["internal comments", "CaseComment", (row) => row["IsPublished"] === false],
  ["comments without text", "CaseComment", (row) => row["CommentBody"] === null],
  ["tasks without subject", "Task", (row) => row["Subject"] === null],
  [
    "calls with a duration",
    "Task",
    (row) => row["TaskSubtype"] === "Call" && typeof row["CallDurationInSeconds"] === "number",
  ],
  ["tasks with a lead", "Task", (row) => String(row["WhoId"]).startsWith("00Q")],
  ["tasks about an opportunity", "Task", (row) => String(row["WhatId"]).startsWith("006")],
  ["tasks about a custom object", "Task", (row) => String(row["WhatId"]).startsWith("a00")],
  [
    "masters of task series",
    "Task",
    (row) => row["IsRecurrence"] === true && row["RecurrenceActivityId"] === row["Id"],
  ],
  ["masters of event series", "Event", (row) => row["IsRecurrence"] === true],
  ["invitees' copies", "Event", (row) => row["IsChild"] === true],
  ["invitees who have answered with words", "EventRelation", (row) => row["Response"] !== null],
  ["invitees who have not answered", "EventRelation", (row) => row["RespondedDate"] === null],
  ["invitees who were removed", "EventRelation", (row) => row["IsDeleted"] === true],
  ["all-day events", "Event", (row) => row["IsAllDayEvent"] === true],
  ["negative amounts", "Account", (row) => Number(row["AnnualRevenue"]) < 0],
  ["huge amounts", "Account", (row) => Number(row["AnnualRevenue"]) > 9e12],
  ["picklist values that no list has", "Account", (row) => row["Industry"] === "Telegraphy"],
  ["inactive picklist values", "Account", (row) => row["Industry"] === "Dot Com"],
  ["several values of a multi-select", "Account", (row) => String(row["Regions__c"]).includes(";")],
  ["texts of 10,000 characters", "Case", (row) => String(row["Description"]).length > 10_000],
  ["right-to-left text", "CaseComment", (row) => /[\u0590-\u06ff]/.test(String(row["CommentBody"]))],
  ["emoji", "CaseComment", (row) => /\p{Emoji_Presentation}/u.test(String(row["CommentBody"]))],
  ["combining marks", "CaseComment", (row) => String(row["CommentBody"]).includes("e\u0301")],
  ["records of the last century", "Account", (row) => String(row["CreatedDate"]) < "2000"],
];

test.each(MESSY_DATA)("there are %s, but not every record has this", (_, object, test) => {
  const found = count(object, test);
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(all(object).length);
});

test("some owners are inactive", () => {
  const inactive = new Set(
    all("User")
      .filter((row) => row["IsActive"] === false)
      .map((row) => row["Id"]),
  );
  expect(inactive.size).toBeGreaterThan(0);
  expect(count("Account", (row) => inactive.has(row["OwnerId"]))).toBeGreaterThan(0);
});

test("many records share the second of their creation", () => {
  const stamps = Map.groupBy(all("Contact"), (row) => row["CreatedDate"]);
  expect([...stamps.values()].some((list) => list.length >= 40)).toBe(true);
});

test("timestamps have Salesforce's format, and modification is never before creation", () => {
  for (const object of OBJECTS) {
    for (const row of all(object)) {
      // A reply in a feed has no LastModifiedDate.
      const stamps = ["CreatedDate", "LastModifiedDate", "SystemModstamp"].filter((stamp) => stamp in row);
      for (const stamp of stamps) expect(row[stamp]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/);
      expect(stamps.map((stamp) => String(row[stamp])).toSorted()).toEqual(stamps.map((stamp) => row[stamp]));
    }
  }
});

const isBad = (value: unknown, length: number): boolean =>
  typeof value === "string" && (value.length > length || !value.isWellFormed() || value.includes("\0"));

test.each(OBJECTS)("%s: no text is longer than its field, and none has a lone surrogate or a NUL", (object) => {
  const fields = DATA_OBJECTS.get(object.toLowerCase())?.fields.filter(({ length }) => length > 0) ?? [];
  const bad = all(object).flatMap((row) =>
    fields.filter(({ name, length }) => isBad(row[name], length)).map(({ name }) => `${name} of ${String(row["Id"])}`),
  );
  expect(fields.length).toBeGreaterThan(4);
  expect(bad).toEqual([]);
});
