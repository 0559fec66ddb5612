import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SourceRecord } from "@/lib/salesforce/query";
import { change, delta } from "@/tests/migration/support/delta";
import {
  createMigration,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRetry, startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const at = (minute: number) => `2024-05-02T10:0${minute}:00.000+0000`;
const CASE = sourceId("500", 1);
const CALL = sourceId("00T", 1);
const POST = sourceId("0D5", 1);

const COMMENTS = [1, 3].map((minute) =>
  sourceRecord("00a", minute, { ParentId: CASE, CommentBody: `Comment ${minute}`, CreatedDate: at(minute) }),
);

/** A post that shows a task. */
const postOf = (number: number) =>
  sourceRecord("0D5", number, {
    ParentId: CASE,
    Type: "CallLogPost",
    Body: "notes",
    Title: null,
    LinkUrl: null,
    RelatedRecordId: sourceId("00T", number),
    CreatedDate: at(2),
  });

const failingCall = () => sourceRecord("00T", 1, { Subject: "Call", WhatId: CASE, CreatedDate: "broken" });

/** A case with two comments, and between them a post that shows a task. */
function org(tasks: SourceRecord[]): ScriptedSource {
  return new ScriptedSource({
    Account: [],
    Contact: [],
    Case: [sourceRecord("500", 1, { Subject: "Leak" })],
    CaseComment: COMMENTS,
    EmailMessage: [],
    FeedItem: [postOf(1)],
    Task: tasks,
    Event: [],
  });
}

async function threadOf({ organizationId }: MigrationKey): Promise<unknown[]> {
  const entries = Object.values(await recordsOf("case_comments", organizationId));
  return entries
    .toSorted((one, other) => Number(one.position) - Number(other.position))
    .map(({ position, ext_id: extId, version }) => [position, extId, version]);
}

test("the post of a task that failed is in the thread by time, until a retry imports the task", async () => {
  const key = await createMigration();
  const call = failingCall();
  const source = org([call]);
  const first = await runMigration(key, source);
  expect(first.lines).toMatchObject({
    FeedItem: { source: 1, created: 1, skipped: 0, status: "done" },
    Task: { source: 1, failed: 1 },
  });
  const thread = await threadOf(key);
  expect(thread).toEqual([
    [1, sourceId("00a", 1), 2],
    [2, POST, 2],
    [3, sourceId("00a", 3), 3],
  ]);
  expect(await issuesOf(key)).not.toHaveProperty([POST]);

  expect((await runMigration(key, source)).lines.FeedItem).toMatchObject({ unchanged: 1, skipped: 0, status: "done" });
  expect(await threadOf(key)).toEqual(thread);

  Object.assign(call, { CreatedDate: at(2) });
  const run = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Task: { created: 1, failed: 0 }, FeedItem: { unchanged: 0, skipped: 1 } },
  });
  expect(await threadOf(key)).toEqual([
    [1, sourceId("00a", 1), 2],
    [3, sourceId("00a", 3), 3],
  ]);
  expect(Object.keys(await recordsOf("activities", key.organizationId))).toEqual([CALL]);
});

test("the post of a task that nobody can read is in the thread", async () => {
  const key = await createMigration();
  await runMigration(key, org([]));
  expect(await recordsOf("case_comments", key.organizationId)).toMatchObject({
    [POST]: { body: "notes", position: 2 },
  });
});

test("the post of a task that is skipped is not in the thread", async () => {
  const key = await createMigration();
  const series = sourceRecord("00T", 1, { Subject: "Call", IsRecurrence: true, RecurrenceActivityId: CALL });
  const occurrence = sourceRecord("00T", 2, { Subject: "Call", IsRecurrence: false, RecurrenceActivityId: CALL });
  await runMigration(key, org([series, occurrence]));
  expect(await issuesOf(key)).toMatchObject({
    [CALL]: { code: "recurrence_series" },
    [POST]: { code: "mirrored_in_feed" },
  });
});

test("the post of a task that failed gives way to the task by the first run of another migration", async () => {
  const key = await createMigration();
  const call = failingCall();
  const source = org([call]);
  await runMigration(key, source);
  expect(await recordsOf("case_comments", key.organizationId)).toHaveProperty([POST]);
  await pool().query("UPDATE case_comments SET body = 'Ours', version = version + 1 WHERE ext_id = $1", [POST]);

  const other = await createMigration(undefined, undefined, key.organizationId);
  const again = { configuration: { repeat: "ours_wins" } } as const;
  expect((await runMigration(other, source, again)).lines.Task).toMatchObject({ failed: 1 });
  expect(await recordsOf("case_comments", key.organizationId)).toMatchObject({ [POST]: { body: "Ours" } });

  const third = await createMigration(undefined, undefined, key.organizationId);
  Object.assign(call, { CreatedDate: at(2) });
  expect((await runMigration(third, source, again)).lines).toMatchObject({
    Task: { created: 1 },
    FeedItem: { unchanged: 0, skipped: 1, status: "done" },
  });
  expect(await recordsOf("case_comments", key.organizationId)).not.toHaveProperty([POST]);
  expect(await issuesOf(third)).toMatchObject({ [POST]: { code: "mirrored_in_feed", value: CALL } });
});

test("the post of a task that Salesforce no longer returns stays as its only trace", async () => {
  const key = await createMigration();
  const source = org([failingCall()]);
  source.now = new Date();
  source.now.setUTCMilliseconds(0);
  await runMigration(key, source);
  source.records.Task = [];
  await workToTheEnd(await transaction((tx) => startRetry(tx, key)), source);
  expect(await issuesOf(key)).toMatchObject({ [CALL]: { outcome: "skipped", code: "gone_in_source" } });
  source.now = new Date(source.now.getTime() + 60_000);
  change(source, "FeedItem", 0, { Body: "edited", LastEditDate: source.now.toISOString() });
  expect((await delta(key, source)).lines.FeedItem).toMatchObject({ updated: 1, skipped: 0 });
  expect(await recordsOf("case_comments", key.organizationId)).toMatchObject({ [POST]: { body: "edited" } });
});

/** More than one query reads. */
const POSTS = 450;

test.each([
  ["the time of its slice", { milliseconds: 0, usage: null }, [1, 1]],
  ["its API requests", { milliseconds: 60_000, usage: { used: 900, limit: 1000 } }, [1]],
] as const)("a run that has used up %s reads no more posts of tasks that nobody can read", async (_, limits, reads) => {
  const key = await createMigration();
  const source = org([]);
  source.records.FeedItem = Array.from({ length: POSTS }, (_post, index) => postOf(index + 1));
  let sent = 0;
  source.beforeQuery = (soql) => {
    if (!/FROM FeedItem .*\bId IN/.test(soql)) return;
    sent += 1;
    source.usage = limits.usage;
  };
  const options = configurationSchema.parse({ api_limit: { percent: 90 } });
  const run = await transaction((tx) => startRun(tx, key, options));
  const bySlice: number[] = [];
  for (let outcome: unknown = "more"; outcome === "more"; sent = 0) {
    outcome = await workSlice(run, async () => source, limits.milliseconds);
    if (sent > 0) bySlice.push(sent);
  }
  expect(bySlice).toEqual(reads);
  source.usage = null;
  source.beforeQuery = () => undefined;
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { FeedItem: { created: POSTS, skipped: 0, status: "done" } },
  });
});
