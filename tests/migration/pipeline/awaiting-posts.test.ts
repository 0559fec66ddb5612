import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/status";
import type { SourceRecord } from "@/lib/salesforce/query";
import {
  createMigration,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRetry } from "@/tests/migration/support/within";

const at = (minute: number) => `2024-05-02T10:0${minute}:00.000+0000`;
const CASE = sourceId("500", 1);
const CALL = sourceId("00T", 1);
const POST = sourceId("0D5", 1);

const COMMENTS = [1, 3].map((minute) =>
  sourceRecord("00a", minute, { ParentId: CASE, CommentBody: `Comment ${minute}`, CreatedDate: at(minute) }),
);

/** A case with two comments, and between them a post that shows a task. */
function org(tasks: SourceRecord[]): ScriptedSource {
  const post = { ParentId: CASE, Type: "CallLogPost", Body: "notes", RelatedRecordId: CALL, CreatedDate: at(2) };
  return new ScriptedSource({
    Account: [],
    Contact: [],
    Case: [sourceRecord("500", 1, { Subject: "Leak" })],
    CaseComment: COMMENTS,
    EmailMessage: [],
    FeedItem: [sourceRecord("0D5", 1, post)],
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
  const call = sourceRecord("00T", 1, { Subject: "Call", WhatId: CASE, CreatedDate: "broken" });
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
