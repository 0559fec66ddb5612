import { expect, test, vi } from "vitest";

// What a run reads follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["opportunity", "product"];
});

import { deleteOperation } from "@/lib/records/operations";
import { add, change, contextOf, deletedOf, delta, imported, source } from "@/tests/migration/support/delta";
import { issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";

/** An org in which nothing was changed after the first run but what a test changes. */
function orgWith(records: ScriptedSource["records"]): ScriptedSource {
  const org = source();
  Object.assign(org.records, records);
  return org;
}

const CASE = { ParentId: sourceId("500", 1) };

test("replies follow the visibility of a post that a delta reads, in both directions, and the sums close", async () => {
  const org = orgWith({
    FeedItem: ["AllUsers", "InternalUsers", "AllUsers"].map((visibility, index) =>
      sourceRecord("0D5", index + 1, { ...CASE, Body: "Post", Visibility: visibility }),
    ),
    FeedComment: [1, 2, 3].map((number) =>
      sourceRecord("0D7", number, { ...CASE, FeedItemId: sourceId("0D5", number), CommentBody: "Reply" }),
    ),
  });
  const key = await imported(org, ["Case", "FeedItem", "FeedComment"]);
  const replies = async () => {
    const records = await recordsOf("case_comments", key.organizationId);
    return [1, 2, 3].map((number) => records[sourceId("0D7", number)]);
  };
  const before = await replies();
  expect(before).toMatchObject([{ is_public: true }, { is_public: false }, { is_public: true }]);
  change(org, "FeedItem", 0, { Visibility: "InternalUsers" });
  change(org, "FeedItem", 1, { Visibility: "AllUsers" });
  const finished = await delta(key, org);
  expect(finished).toMatchObject({
    status: "completed",
    lines: { FeedItem: { source: 2, updated: 2 }, FeedComment: { source: 2, updated: 2, unchanged: 0 } },
  });
  const after = await replies();
  expect(after).toMatchObject([{ is_public: false, version: 3 }, { is_public: true, version: 3 }, before[2]]);
  expect(await delta(key, org)).toMatchObject({ lines: { FeedComment: { source: 0, updated: 0, unchanged: 0 } } });
  expect(await runMigration(key, org)).toMatchObject({ lines: { FeedComment: { source: 3, updated: 0 } } });
  expect(await replies()).toEqual(after);
});

test("a reply follows a post that somebody has deleted here", async () => {
  const post = sourceRecord("0D5", 1, { ...CASE, Body: "Post", Visibility: "AllUsers" });
  const reply = sourceRecord("0D7", 1, { ...CASE, FeedItemId: sourceId("0D5", 1), CommentBody: "Reply" });
  const org = orgWith({ FeedItem: [post], FeedComment: [reply] });
  const key = await imported(org, ["Case", "FeedItem", "FeedComment"]);
  const before = await recordsOf("case_comments", key.organizationId);
  await run(deleteOperation("case_comments"), contextOf(key), { id: before[sourceId("0D5", 1)]?.id });
  change(org, "FeedItem", 0, { Visibility: "InternalUsers" });
  expect(await delta(key, org)).toMatchObject({ status: "completed" });
  const after = await recordsOf("case_comments", key.organizationId);
  expect(after).toMatchObject({ [sourceId("0D7", 1)]: { is_public: false } });
  expect(after[sourceId("0D5", 1)]).toBeUndefined();
});

test("posts that were edited follow, and those that were deleted, which no query finds, are deleted", async () => {
  const org = orgWith({
    FeedItem: [1, 2, 3].map((number) =>
      sourceRecord("0D5", number, { ...CASE, Body: `Post ${number}`, Title: null, LinkUrl: null }),
    ),
    FeedComment: [1, 2].map((number) =>
      sourceRecord("0D7", number, { ...CASE, FeedItemId: sourceId("0D5", number), CommentBody: "Reply" }),
    ),
  });
  const key = await imported(org, ["Case", "FeedItem", "FeedComment"]);
  change(org, "FeedItem", 0, { Body: "Edited", LastEditDate: `${org.now.toISOString().slice(0, 19)}.000+0000` });
  change(org, "FeedItem", 1, { IsDeleted: true });
  change(org, "FeedComment", 1, { IsDeleted: true });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { FeedItem: { source: 1, updated: 1 } } });
  expect(await deletedOf(key)).toEqual({ FeedItem: 1, FeedComment: 1 });
  const entries = await recordsOf("case_comments", key.organizationId);
  expect(
    Object.values(entries)
      .map(({ body }) => String(body))
      .toSorted(),
  ).toEqual(["Edited", "Post 3", "Reply"]);
});

test("what moderators hold back is internal, and so is a reply to it, until they publish it", async () => {
  const org = orgWith({
    FeedItem: ["Published", "PendingReview", "Isolated"].map((Status, index) =>
      sourceRecord("0D5", index + 1, { ...CASE, Body: "Post", Visibility: "AllUsers", Status }),
    ),
    FeedComment: [
      ["Published", 1],
      ["PendingReview", 1],
      ["Published", 2],
    ].map(([Status, post], index) =>
      sourceRecord("0D7", index + 1, {
        ...CASE,
        FeedItemId: sourceId("0D5", Number(post)),
        CommentBody: "Reply",
        Status,
      }),
    ),
  });
  const key = await imported(org, ["Case", "FeedItem", "FeedComment"]);
  const publicIds = async () => {
    const entries = await recordsOf("case_comments", key.organizationId);
    return Object.keys(entries).filter((id) => entries[id]?.is_public === true);
  };
  expect((await publicIds()).toSorted()).toEqual([sourceId("0D5", 1), sourceId("0D7", 1)]);
  change(org, "FeedItem", 1, { Status: "Published" });
  expect(await delta(key, org)).toMatchObject({ status: "completed" });
  expect((await publicIds()).toSorted()).toEqual([
    sourceId("0D5", 1),
    sourceId("0D5", 2),
    sourceId("0D7", 1),
    sourceId("0D7", 3),
  ]);
});

test("a reply that was left out is counted once, whether its post was changed or not", async () => {
  const org = orgWith({
    FeedItem: [sourceRecord("0D5", 1, { ...CASE, Body: "Post", Visibility: "AllUsers" })],
    FeedComment: [
      sourceRecord("0D7", 1, { ...CASE, FeedItemId: sourceId("0D5", 1), CommentBody: "Reply", CreatedDate: "broken" }),
    ],
  });
  const key = await imported(org, ["Case", "FeedItem", "FeedComment"]);
  for (const visibility of ["InternalUsers", "AllUsers"]) {
    change(org, "FeedItem", 0, { Visibility: visibility });
    expect(await delta(key, org)).toMatchObject({
      status: "completed_with_errors",
      lines: { FeedComment: { source: 1, failed: 1 } },
    });
  }
});

test("a change on the Task of an e-mail updates the e-mail", async () => {
  const org = orgWith({
    EmailMessage: [1, 2].map((number) =>
      sourceRecord("02s", number, { ...CASE, ActivityId: sourceId("00T", number), TextBody: "Mail" }),
    ),
    Task: [1, 2].map((number) => sourceRecord("00T", number, { Subject: "Mail", Outcome__c: "Open" })),
  });
  const key = await imported(org, ["Case", "EmailMessage", "Task"]);
  change(org, "Task", 0, { Outcome__c: "Reached" });
  expect(await delta(key, org)).toMatchObject({
    status: "completed",
    lines: { EmailMessage: { source: 1, updated: 1 }, Task: { skipped: 2 } },
  });
  const emails = await recordsOf("case_comments", key.organizationId);
  expect(emails[sourceId("02s", 1)]).toMatchObject({ custom_fields: { "Task.Outcome__c": "Reached" } });
  expect(emails[sourceId("02s", 2)]).toMatchObject({ custom_fields: { "Task.Outcome__c": "Open" }, version: 2 });
});

test("the Task of an e-mail that was deleted in Salesforce is imported in its place, and the sums close", async () => {
  const org = orgWith({
    EmailMessage: [1, 2].map((number) =>
      sourceRecord("02s", number, { ...CASE, ActivityId: sourceId("00T", number), TextBody: "Mail" }),
    ),
    Task: [1, 2].map((number) => sourceRecord("00T", number, { Subject: "Mail" })),
  });
  const key = await imported(org, ["Case", "EmailMessage", "Task"]);
  change(org, "EmailMessage", 0, { IsDeleted: true });
  expect(await delta(key, org)).toMatchObject({
    status: "completed",
    lines: { Task: { source: 2, created: 1, skipped: 1 } },
  });
  expect(await deletedOf(key)).toEqual({ EmailMessage: 1 });
  expect(Object.keys(await recordsOf("case_comments", key.organizationId))).toContain(sourceId("02s", 2));
  expect(Object.keys(await recordsOf("activities", key.organizationId))).toEqual([sourceId("00T", 1)]);
  expect(Object.keys(await issuesOf(key))).toEqual([sourceId("00T", 2)]);
  expect(await runMigration(key, org)).toMatchObject({ lines: { Task: { source: 2, created: 0, unchanged: 1 } } });
});

test("the Task of two e-mails is the copy of the one that is left, and is imported when none is", async () => {
  const org = orgWith({
    EmailMessage: [1, 2].map((number) =>
      sourceRecord("02s", number, { ...CASE, ActivityId: sourceId("00T", 1), TextBody: "Mail" }),
    ),
    Task: [sourceRecord("00T", 1, { Subject: "Mail" })],
  });
  const key = await imported(org, ["Case", "EmailMessage", "Task"]);
  change(org, "EmailMessage", 0, { IsDeleted: true });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Task: { created: 0, skipped: 1 } } });
  const { [sourceId("02s", 2)]: left } = await recordsOf("case_comments", key.organizationId);
  expect(await issuesOf(key)).toEqual({
    [sourceId("00T", 1)]: expect.objectContaining({ code: "mirrored_by_email", value: left?.id }),
  });
  change(org, "EmailMessage", 1, { IsDeleted: true });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Task: { created: 1, skipped: 0 } } });
  expect(Object.keys(await recordsOf("activities", key.organizationId))).toEqual([sourceId("00T", 1)]);
  expect(await issuesOf(key)).toEqual({});
});

test("a change of a price updates the product, and one of a line the opportunity", async () => {
  const org = orgWith({
    Product2: [sourceRecord("01t", 1, { Name: "Pump" })],
    PricebookEntry: [sourceRecord("01u", 1, { Product2Id: sourceId("01t", 1), UnitPrice: 10 })],
    Opportunity: [1, 2].map((number) => sourceRecord("006", number, { Name: "Deal", StageName: "Qualification" })),
    OpportunityLineItem: [1, 2].map((number) =>
      sourceRecord("00k", number, { OpportunityId: sourceId("006", number), Quantity: 1 }),
    ),
  });
  const key = await imported(org, ["Product2", "Opportunity"]);
  change(org, "PricebookEntry", 0, { UnitPrice: 12 });
  change(org, "OpportunityLineItem", 1, { Quantity: 3 });
  expect(await delta(key, org)).toMatchObject({
    status: "completed",
    lines: { Product2: { source: 1, updated: 1 }, Opportunity: { source: 1, updated: 1 } },
  });
  const [products, opportunities] = [
    await recordsOf("products", key.organizationId),
    await recordsOf("opportunities", key.organizationId),
  ];
  expect(products[sourceId("01t", 1)]).toMatchObject({ unit_price: 12 });
  expect(JSON.stringify(opportunities[sourceId("006", 2)]?.custom_fields)).toContain('"Quantity":3');
  expect(opportunities[sourceId("006", 1)]).toMatchObject({ version: 1 });
});

function invitee(number: number, event: number) {
  const [EventId, RelationId] = [sourceId("00U", event), sourceId("005", number)];
  return sourceRecord("0RE", number, { EventId, RelationId, Status: "New", Response: null });
}

test("another invitee or answer updates the event, and another contact the task", async () => {
  const org = orgWith({
    Event: [1, 2, 3].map((number) => sourceRecord("00U", number, { Subject: "Meeting", IsGroupEvent: true })),
    EventRelation: [invitee(1, 1), invitee(2, 2), invitee(3, 3)],
    Task: [1, 2].map((number) => sourceRecord("00T", number, { Subject: "Call", WhoCount: 2 })),
    TaskRelation: [1, 2].map((number) =>
      sourceRecord("0RT", number, { TaskId: sourceId("00T", number), RelationId: sourceId("003", number) }),
    ),
  });
  const key = await imported(org, ["Task", "Event"]);
  change(org, "EventRelation", 0, { Status: "Declined", Response: "On holiday" });
  add(org, "EventRelation", invitee(4, 2));
  add(org, "TaskRelation", sourceRecord("0RT", 3, { TaskId: sourceId("00T", 2), RelationId: sourceId("003", 3) }));
  expect(await delta(key, org)).toMatchObject({
    status: "completed",
    lines: { Event: { source: 2, updated: 2 }, Task: { source: 1, updated: 1 } },
  });
  const activities = await recordsOf("activities", key.organizationId);
  const fieldsOf = (id: string) => activities[id]?.custom_fields;
  expect(fieldsOf(sourceId("00U", 1))).toMatchObject({
    EventRelations: [{ Status: "Declined", Response: "On holiday" }],
  });
  expect(fieldsOf(sourceId("00U", 2))).toMatchObject({ EventRelations: [{}, { RelationId: sourceId("005", 4) }] });
  expect(fieldsOf(sourceId("00T", 2))).toMatchObject({ TaskRelations: [{}, { RelationId: sourceId("003", 3) }] });
  expect(activities[sourceId("00U", 3)]).toMatchObject({ version: 1 });
});

test("what a delta reads because other objects changed goes on where a slice ended, and is counted once", async () => {
  const numbers = Array.from({ length: 900 }, (_, index) => index + 1);
  const org = orgWith({
    EmailMessage: numbers.map((number) =>
      sourceRecord("02s", number, { ...CASE, ActivityId: sourceId("00T", number), TextBody: "Mail" }),
    ),
    Task: numbers.map((number) =>
      sourceRecord("00T", number, { Subject: "Mail", TaskSubtype: "Email", Outcome__c: "Open" }),
    ),
  });
  const key = await imported(org, ["Case", "EmailMessage", "Task"]);
  for (const index of numbers.keys()) change(org, "Task", index, { Outcome__c: "Reached" });
  const asked: string[] = [];
  org.beforeQuery = (soql) => {
    if (soql.startsWith("SELECT COUNT() FROM EmailMessage")) asked.push("count");
    if (soql.includes("Id FROM Task WHERE SystemModstamp")) asked.push(/Id > '(\w+)'/.exec(soql)?.[1] ?? "first");
  };
  expect(await delta(key, org, 0)).toMatchObject({
    status: "completed",
    lines: { EmailMessage: { source: 900, updated: 900 } },
  });
  // The next page is asked for ahead, so the next slice may ask for it once more.
  const pages = [400, 800, 900].map((number) => sourceId("00T", number));
  expect([...new Set(asked)]).toEqual(["count", "first", ...pages]);
  expect(asked.filter((page) => !pages.includes(page))).toEqual(["count", "first", "count"]);
});

test("the Task of a deleted e-mail that is gone as well is listed as gone, and not asked for again", async () => {
  const org = orgWith({
    EmailMessage: [sourceRecord("02s", 1, { ...CASE, ActivityId: sourceId("00T", 1), TextBody: "Mail" })],
    Task: [sourceRecord("00T", 1, { Subject: "Mail" })],
  });
  const key = await imported(org, ["Case", "EmailMessage", "Task"]);
  change(org, "EmailMessage", 0, { IsDeleted: true });
  // Salesforce has purged it, so that no window has its deletion.
  org.records.Task = [sourceRecord("00T", 2, { Subject: "Another" })];
  const finished = await delta(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { Task: { skipped: 1, failed: 0 } } });
  expect(await issuesOf(key)).toMatchObject({ [sourceId("00T", 1)]: { outcome: "skipped", code: "gone_in_source" } });
  const asked: string[] = [];
  org.beforeQuery = (soql) => asked.push(soql);
  expect(await delta(key, org)).toMatchObject({ status: "completed" });
  expect(asked.filter((soql) => soql.includes(`'${sourceId("00T", 1)}'`))).toEqual([]);
});
