import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { add, change, delta } from "@/tests/migration/support/delta";
import {
  createMigration,
  type Finished,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRetry } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Case", "EmailMessage", "FeedItem", "Task"];

/** More than the custom fields of a record may have. */
const TOO_LONG = "x".repeat(1_100_000);

/** Case 1 fails, and with it its e-mails. Tasks 1 and 2 are their copies. */
function faultySource(): ScriptedSource {
  const org = new ScriptedSource({
    Case: [
      sourceRecord("500", 1, { Subject: "Too long", CaseNumber: "00001", Essay__c: TOO_LONG }),
      sourceRecord("500", 2, { Subject: "Fine", CaseNumber: "00002" }),
    ],
    EmailMessage: [1, 2].map((number) => email(number, 1)),
    Task: [1, 2, 3].map((number) => sourceRecord("00T", number, { Subject: `Task ${number}` })),
  });
  org.now = new Date();
  org.now.setUTCMilliseconds(0);
  return org;
}

const email = (number: number, ofCase: number) =>
  sourceRecord("02s", number, {
    ParentId: sourceId("500", ofCase),
    ActivityId: sourceId("00T", number),
    TextBody: `mail ${number}`,
  });

async function retry(key: MigrationKey, org: ScriptedSource): Promise<Finished> {
  const mended = configurationSchema.parse({ objects: { Case: { fields: { Essay__c: null } } } });
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [key.migrationId, mended]);
  const run = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(run, org, 0);
  return finishedOf(key);
}

const copyOf = (number: number) => ({ [sourceId("00T", number)]: { outcome: "skipped", code: "mirrored_by_email" } });

test("tasks that a retry replaces by their e-mails count as skipped, and are listed", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  const first = await runMigration(key, org);
  expect(first.lines).toMatchObject({ EmailMessage: { failed: 2 }, Task: { source: 3, created: 3, skipped: 0 } });
  expect(await retry(key, org)).toMatchObject({
    status: "completed",
    lines: { EmailMessage: { created: 2, failed: 0 }, Task: { source: 3, created: 1, skipped: 2, status: "done" } },
  });
  expect(await issuesOf(key)).toMatchObject({ ...copyOf(1), ...copyOf(2) });
  expect(Object.keys(await recordsOf("activities", key.organizationId))).toEqual([sourceId("00T", 3)]);
});

test("they are taken from the count that they were in: created, updated or unchanged", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  Object.assign(org.records.Task?.[0] ?? {}, { Subject: "Changed", SystemModstamp: "2026-07-01T09:00:00.000+0000" });
  org.records.Task?.push(sourceRecord("00T", 4, { Subject: "Task 4" }));
  expect((await runMigration(key, org)).lines.Task).toMatchObject({ created: 1, updated: 1, unchanged: 2 });
  const { lines } = await retry(key, org);
  expect(lines.Task).toMatchObject({ source: 4, created: 1, updated: 0, unchanged: 1, skipped: 2 });
});

test("a task that was listed already is counted once, for its new reason", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  await pool().query("UPDATE activities SET subject = 'Ours', version = version + 1 WHERE ext_id = $1", [
    sourceId("00T", 1),
  ]);
  Object.assign(org.records.Task?.[0] ?? {}, { Subject: "Changed", SystemModstamp: "2026-07-01T09:00:00.000+0000" });
  const again = await runMigration(key, org, { configuration: { repeat: "ours_wins" } });
  expect(again.lines.Task).toMatchObject({ unchanged: 2, skipped: 1 });
  expect((await retry(key, org)).lines.Task).toMatchObject({ source: 3, unchanged: 1, skipped: 2 });
  expect(await issuesOf(key)).toMatchObject(copyOf(1));
});

test("a task whose e-mail comes by a later delta counts as skipped, whether or not that delta reads it", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  org.now = new Date(org.now.getTime() + 60_000);
  add(org, "EmailMessage", email(3, 2));
  add(org, "Task", sourceRecord("00T", 4, { Subject: "Task 4" }));
  const unread = await delta(key, org);
  expect(unread.lines).toMatchObject({
    EmailMessage: { created: 1, failed: 2 },
    Task: { source: 2, created: 1, skipped: 1, status: "done" },
  });
  expect(await issuesOf(key)).toMatchObject(copyOf(3));
  add(org, "EmailMessage", email(4, 2));
  change(org, "Task", 3, { Subject: "Renamed" });
  expect((await delta(key, org)).lines.Task).toMatchObject({ source: 2, created: 0, skipped: 2, status: "done" });
  expect((await retry(key, org)).lines.Task).toMatchObject({ source: 4, created: 0, skipped: 4, status: "done" });
  expect(await issuesOf(key)).toMatchObject({ ...copyOf(1), ...copyOf(2), ...copyOf(3), ...copyOf(4) });
});

test("a task that an earlier delta has updated is not taken from what the last one has updated", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  change(org, "Task", 0, { Subject: "Renamed" });
  // So that the second delta does not read it again, with the ten minutes by which they overlap.
  org.now = new Date(org.now.getTime() + 20 * 60_000);
  expect((await delta(key, org)).lines.Task).toMatchObject({ source: 1, updated: 1 });
  change(org, "Task", 2, { Subject: "Renamed as well" });
  expect((await delta(key, org)).lines.Task).toMatchObject({ source: 1, updated: 1, unchanged: 0 });
  expect((await retry(key, org)).lines.Task).toMatchObject({ source: 3, updated: 1, skipped: 2, status: "done" });
});

test("tasks that came in an earlier phase than their e-mails count as skipped there", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  const phases = configurationSchema.parse({
    objects: { Case: { fields: { Essay__c: null } }, EmailMessage: { phase: 2 }, FeedItem: { phase: 2 } },
  });
  expect((await runMigration(key, org, { configuration: phases, phase: 1 })).lines.Task).toMatchObject({ created: 3 });
  expect(await runMigration(key, org, { phase: 2 })).toMatchObject({
    status: "completed",
    lines: { EmailMessage: { created: 2 }, Task: { source: 3, created: 1, skipped: 2 } },
  });
  expect(await issuesOf(key)).toMatchObject({ ...copyOf(1), ...copyOf(2) });
});

const post = (number: number, shown: string | null) =>
  sourceRecord("0D5", number, { ParentId: sourceId("500", 2), Body: "lost", RelatedRecordId: shown });

/** Posts 1 and 2 only show an e-mail and a comment of case 2 that fail. */
function sourceWithFeed(): ScriptedSource {
  const org = faultySource();
  org.records.EmailMessage?.push({ ...email(9, 2), CreatedDate: "broken" });
  org.records.CaseComment = [
    sourceRecord("00a", 1, { ParentId: sourceId("500", 2), CommentBody: "lost", CreatedDate: "broken" }),
  ];
  org.records.FeedItem?.push(post(1, sourceId("02s", 9)), post(2, sourceId("00a", 1)), post(3, null));
  return org;
}

test("posts of comments that the user deselects are removed, except those that somebody has edited", async () => {
  const org = sourceWithFeed();
  org.records.CaseComment?.push({ ...org.records.CaseComment[0], Id: sourceId("00a", 2) });
  org.records.FeedItem?.push(post(4, sourceId("00a", 2)));
  const key = await createMigration([...OBJECTS, "CaseComment"]);
  expect((await runMigration(key, org)).lines.FeedItem).toMatchObject({ created: 4 });
  await pool().query("UPDATE case_comments SET body = 'Ours', version = version + 1 WHERE ext_id = $1", [
    sourceId("0D5", 4),
  ]);
  const deselected = configurationSchema.parse({ objects: { CaseComment: { selected: false } } });
  const again = await runMigration(key, org, { configuration: deselected });
  expect(again.lines.FeedItem).toMatchObject({ source: 4, unchanged: 2, skipped: 2, status: "done" });
  const thread = await recordsOf("case_comments", key.organizationId);
  expect(thread).not.toHaveProperty([sourceId("0D5", 2)]);
  expect(thread).toMatchObject({ [sourceId("0D5", 4)]: { body: "Ours" } });
});

const mendFeed = (org: ScriptedSource, with_: typeof change) => {
  with_(org, "EmailMessage", 2, { CreatedDate: "2024-03-01T09:00:00.000+0000" });
  with_(org, "CaseComment", 0, { CreatedDate: "2024-03-01T09:00:00.000+0000" });
};

const silently: typeof change = (org, object, index, fields) =>
  void Object.assign(org.records[object]?.[index] ?? {}, fields);

test.each([
  ["a retry", silently, retry, { source: 3, created: 1, skipped: 2 }],
  ["a delta", change, delta, { source: 2, created: 0, skipped: 2 }],
] as const)("posts that stood for failed records give way to them by %s, and count as skipped", async (...given) => {
  const [, mend, run, posts] = given;
  const org = sourceWithFeed();
  const key = await createMigration([...OBJECTS, "CaseComment"]);
  expect((await runMigration(key, org)).lines).toMatchObject({
    CaseComment: { failed: 1 },
    FeedItem: { source: 3, created: 3 },
  });
  org.now = new Date(org.now.getTime() + 60_000);
  mendFeed(org, mend);
  expect((await run(key, org)).lines).toMatchObject({
    CaseComment: { created: 1, failed: 0 },
    FeedItem: { ...posts, status: "done" },
  });
  const thread = Object.keys(await recordsOf("case_comments", key.organizationId));
  expect(thread).toEqual(expect.arrayContaining([sourceId("02s", 9), sourceId("00a", 1), sourceId("0D5", 3)]));
  expect(thread.filter((id) => id.startsWith("0D5"))).toEqual([sourceId("0D5", 3)]);
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("0D5", 1)]: { code: "mirrored_in_feed", value: sourceId("02s", 9) },
    [sourceId("0D5", 2)]: { code: "mirrored_in_feed", value: sourceId("00a", 1) },
  });
});
