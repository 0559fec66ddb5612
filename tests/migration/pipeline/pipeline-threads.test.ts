import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const at = (minute: number) => `2024-05-02T10:${String(minute).padStart(2, "0")}:00.000+0000`;
const CASE = sourceId("500", 1);

function thread(): ScriptedSource {
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "Account" })],
    Contact: [sourceRecord("003", 1, { LastName: "Contact" })],
    Case: [sourceRecord("500", 1, { Subject: "S" }), sourceRecord("500", 2, { Subject: "Other" })],
    CaseComment: [
      sourceRecord("00a", 1, { ParentId: CASE, CommentBody: "third", IsPublished: true, CreatedDate: at(3) }),
      sourceRecord("00a", 2, { ParentId: CASE, CommentBody: null, CreatedDate: at(2) }),
      sourceRecord("00a", 3, { ParentId: sourceId("500", 2), CommentBody: "alone", CreatedDate: at(9) }),
    ],
    EmailMessage: [
      sourceRecord("02s", 1, {
        ParentId: CASE,
        ActivityId: sourceId("00T", 1),
        Incoming: true,
        MessageDate: at(1),
        CreatedDate: at(30),
        FromName: "Customer",
        FromAddress: "c@example.com",
        Subject: "Help",
        HtmlBody: "<p>first</p>",
      }),
      sourceRecord("02s", 2, {
        ParentId: CASE,
        Incoming: false,
        CreatedDate: at(3),
        TextBody: "same moment as the comment",
        FromAddress: "us@example.com",
      }),
      sourceRecord("02s", 3, {
        RelatedToId: sourceId("001", 1),
        ActivityId: sourceId("00T", 3),
        Incoming: false,
        MessageDate: at(5),
        Subject: "Offer",
        TextBody: "Outside of cases",
      }),
      sourceRecord("02s", 4, {
        ParentId: sourceId("500", 9),
        ActivityId: sourceId("00T", 4),
        MessageDate: at(5),
        TextBody: "No such case",
      }),
    ],
    Task: [
      sourceRecord("00T", 1, {
        Subject: "Email: Help",
        TaskSubtype: "Email",
        WhatId: CASE,
        WhoId: sourceId("003", 1),
        OwnerId: sourceId("005", 3),
        Priority: "High",
        Outcome__c: "Reached",
        Travel_Km__c: 0,
      }),
      sourceRecord("00T", 2, {
        Subject: "Call",
        TaskSubtype: "Call",
        CallDurationInSeconds: 95,
        WhatId: CASE,
        Status: "Completed",
        Priority: "Normal",
      }),
      sourceRecord("00T", 3, {
        Subject: "Email: Offer",
        TaskSubtype: "Email",
        WhoId: sourceId("003", 1),
        Travel_Km__c: 12,
      }),
      sourceRecord("00T", 4, { Subject: "Email", TaskSubtype: "Email" }),
    ],
    Event: [
      sourceRecord("00U", 1, {
        Subject: null,
        StartDateTime: at(0),
        EndDateTime: at(30),
        DurationInMinutes: 30,
        IsChild: false,
      }),
      sourceRecord("00U", 2, { Subject: "Copy", IsChild: true }),
      sourceRecord("00U", 3, {
        Subject: "Series",
        IsChild: false,
        IsRecurrence: true,
        RecurrenceActivityId: sourceId("00U", 3),
      }),
      sourceRecord("00U", 4, {
        Subject: "Occurrence",
        IsChild: false,
        IsRecurrence: false,
        RecurrenceActivityId: sourceId("00U", 3),
      }),
    ],
  });
}

test("comments and e-mails of a case form one thread, numbered by time and then by source id", async () => {
  const key = await createMigration();
  const finished = await runMigration(key, thread());
  expect(finished).toMatchObject({ status: "completed_with_errors", failure: null });
  const entries = await pool().query(
    `SELECT c.ext_id, c.position, c.kind, c.body, c.is_public, c.author_name, c.created_at FROM case_comments c
     JOIN cases s ON s.organization_id = c.organization_id AND s.id = c.case_id
     WHERE c.organization_id = $1 AND s.ext_id = $2 ORDER BY c.position`,
    [key.organizationId, CASE],
  );
  expect(entries.rows).toMatchObject([
    {
      ext_id: sourceId("02s", 1),
      position: 1,
      kind: "email_inbound",
      body: "first",
      author_name: "Customer",
      created_at: new Date(at(1)),
    },
    { ext_id: sourceId("00a", 2), position: 2, kind: "comment", body: "(no text)", is_public: false },
    { ext_id: sourceId("00a", 1), position: 3, kind: "comment", body: "third", is_public: true },
    { ext_id: sourceId("02s", 2), position: 4, kind: "email_outbound", author_name: "us@example.com" },
  ]);
  const email = (await recordsOf("case_comments", key.organizationId))[sourceId("02s", 1)];
  expect(email?.custom_fields).toMatchObject({
    HtmlBody: "<p>first</p>",
    Subject: "Help",
    FromAddress: "c@example.com",
    CreatedDate: at(30),
  });
});

test("another time of an e-mail than that of its creation here is kept beside it, as long as it differs", async () => {
  const key = await createMigration();
  const source = thread();
  await runMigration(key, source);
  const sentAt = async (moment: string) => {
    source.records.EmailMessage?.slice(0, 1).forEach((email) => Object.assign(email, { MessageDate: moment }));
    await runMigration(key, source);
    return (await recordsOf("case_comments", key.organizationId))[sourceId("02s", 1)];
  };
  expect(await sentAt(at(8))).toMatchObject({
    created_at: expect.stringContaining("10:01:00"),
    custom_fields: { MessageDate: at(8) },
  });
  expect((await sentAt(at(1)))?.custom_fields).not.toHaveProperty("MessageDate");
});

test("a task of an imported e-mail is skipped by name; the task of one that failed is imported", async () => {
  const key = await createMigration();
  const finished = await runMigration(key, thread());
  expect(finished.lines.EmailMessage).toMatchObject({ source: 4, created: 3, failed: 1 });
  expect(finished.lines.Task).toMatchObject({ source: 4, created: 2, skipped: 2 });
  expect(finished.lines.Event).toMatchObject({ source: 4, created: 2, skipped: 2 });
  const records = await recordsOf("case_comments", key.organizationId);
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("00T", 1)]: { outcome: "skipped", code: "mirrored_by_email", value: records[sourceId("02s", 1)]?.id },
    [sourceId("00T", 3)]: { outcome: "skipped", code: "mirrored_by_email" },
    [sourceId("02s", 4)]: { outcome: "failed", code: "missing_parent", field: "ParentId", value: sourceId("500", 9) },
    [sourceId("00U", 2)]: { outcome: "skipped", code: "invitee_copy" },
    [sourceId("00U", 3)]: { outcome: "skipped", code: "recurrence_series" },
  });
});

test("what only the task of an e-mail contains is kept with the e-mail, unless the field is left out", async () => {
  const key = await createMigration();
  const source = thread();
  await runMigration(key, source);
  const kept = async (resource: string, number: number) =>
    (await recordsOf(resource, key.organizationId))[sourceId("02s", number)]?.custom_fields as Record<string, unknown>;
  const own = {
    "Task.WhoId": sourceId("003", 1),
    "Task.OwnerId": sourceId("005", 3),
    "Task.Priority": "High",
    "Task.Outcome__c": "Reached",
  };
  const first = await kept("case_comments", 1);
  expect(first).toMatchObject({ ...own, "Task.Travel_Km__c": 0 });
  expect(Object.keys(first).filter((name) => name.startsWith("Task."))).toHaveLength(5);
  expect(await kept("activities", 3)).toMatchObject({ "Task.Travel_Km__c": 12 });
  expect(await kept("activities", 3)).not.toHaveProperty(["Task.WhoId"]);
  expect(await kept("case_comments", 2)).not.toHaveProperty(["Task.OwnerId"]);

  const changed = { objects: { Task: { selected: true, fields: { Travel_Km__c: null }, values: {} } } };
  const again = await runMigration(key, source, { configuration: changed });
  expect(again.lines.EmailMessage).toMatchObject({ created: 0, updated: 2, unchanged: 1 });
  expect(await kept("case_comments", 1)).not.toHaveProperty(["Task.Travel_Km__c"]);
});

test("a deleted task adds nothing to its e-mail", async () => {
  const key = await createMigration();
  const source = thread();
  source.records.Task?.forEach((task) => Object.assign(task, { IsDeleted: true }));
  await runMigration(key, source);
  const email = (await recordsOf("case_comments", key.organizationId))[sourceId("02s", 1)];
  expect(Object.keys(email?.custom_fields as object).filter((name) => name.startsWith("Task."))).toEqual([]);
});

test("deselected tasks add only their links to an e-mail outside of cases", async () => {
  const key = await createMigration();
  const configuration = { objects: { Task: { selected: false, fields: {}, values: {} } } };
  await runMigration(key, thread(), { configuration });
  const email = (await recordsOf("activities", key.organizationId))[sourceId("02s", 3)];
  expect(email?.contact_id).toBeTruthy();
  expect(email?.custom_fields).not.toHaveProperty(["Task.Travel_Km__c"]);
});

test("an e-mail outside of cases becomes an activity with the contact that its task names", async () => {
  const key = await createMigration();
  await runMigration(key, thread());
  const activities = await recordsOf("activities", key.organizationId);
  const contact = (await recordsOf("contacts", key.organizationId))[sourceId("003", 1)];
  const account = (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)];
  expect(activities[sourceId("02s", 3)]).toMatchObject({
    type: "email",
    subject: "Offer",
    description: "Outside of cases",
    status: "completed",
    contact_id: contact?.id,
    account_id: account?.id,
  });
  expect(activities[sourceId("00T", 2)]).toMatchObject({
    type: "call",
    status: "completed",
    priority: "medium",
    duration_minutes: 2,
    custom_fields: { CallDurationInSeconds: 95, Priority: "Normal" },
  });
  expect(activities[sourceId("00U", 1)]).toMatchObject({
    type: "event",
    subject: "(no subject)",
    duration_minutes: 30,
  });
});

test("running again does not change threads and activities", async () => {
  const key = await createMigration();
  await runMigration(key, thread());
  const before = [
    await recordsOf("case_comments", key.organizationId),
    await recordsOf("activities", key.organizationId),
  ];
  const again = await runMigration(key, thread());
  for (const line of Object.values(again.lines)) expect(line).toMatchObject({ created: 0, updated: 0 });
  expect([
    await recordsOf("case_comments", key.organizationId),
    await recordsOf("activities", key.organizationId),
  ]).toEqual(before);
});

test("threads are numbered slice after slice, however many cases there are, and counted once", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const numbers = Array.from({ length: 2100 }, (_, index) => index + 1);
  // In the order of their times, those of minute 59 come last.
  const entries = [1, 59, 2000, 2099].flatMap((number, index) => [
    sourceRecord("00a", 2 * index + 1, { ParentId: sourceId("500", number), CommentBody: "later", CreatedDate: at(9) }),
    sourceRecord("00a", 2 * index + 2, { ParentId: sourceId("500", number), CommentBody: "first", CreatedDate: at(1) }),
  ]);
  const org = new ScriptedSource({
    Case: numbers.map((number) => sourceRecord("500", number, { Subject: "S" })),
    CaseComment: entries,
  });
  let counts = 0;
  org.beforeQuery = (soql) => {
    if (soql.startsWith("SELECT COUNT() FROM CaseComment")) counts += 1;
  };
  const run = await transaction((tx) => startRun(tx, key));
  const positions = new Set<number>();
  while ((await workSlice(run, async () => org, 0)) === "more") {
    const { rowCount } = await pool().query("SELECT FROM case_comments WHERE organization_id = $1 AND position > 0", [
      key.organizationId,
    ]);
    positions.add(rowCount ?? 0);
  }
  expect([[...positions], counts]).toEqual([[0, 4, 8], 2]);
  const numbered = await recordsOf("case_comments", key.organizationId);
  const stored = Object.values(numbered);
  expect(stored.map(({ body, position }) => [body, position]).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => ["first", 1]),
    ...Array.from({ length: 4 }, () => ["later", 2]),
  ]);
  expect(await runMigration(key, org)).toMatchObject({ lines: { CaseComment: { unchanged: 8 } } });
  expect(await recordsOf("case_comments", key.organizationId)).toEqual(numbered);
});
