import { batchesOf } from "@/lib/batches";
import { isRecurrencePattern, markHasOccurrences } from "@/lib/migration/objects/activities";
import { textOf } from "@/lib/migration/objects/declaration";
import { attachTaskFields, IS_CLOSED, noteGoneTask } from "@/lib/migration/objects/email-task";
import { feedItem, setPost, VISIBILITY_OF_POST } from "@/lib/migration/objects/feed";
import { peopleIn } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { attachPeople } from "@/lib/migration/pipeline/read/read-activity-people";
import { countGroups } from "@/lib/migration/pipeline/read/count-groups";
import { attachFiles } from "@/lib/migration/pipeline/read/entry-files";
import { IDS_PER_QUERY, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { attachSales } from "@/lib/migration/pipeline/read/sales-records";
import { ALL_TIME, answersBySpan } from "@/lib/migration/pipeline/read/split-by-time";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import { planOf, type RunSession, taskFieldsOf } from "@/lib/migration/pipeline/run-session";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { type SourceRecord, soqlIn } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** Adds to records what other objects of the source know of them. With `signal`, stops once nobody wants them. */
export async function addRelated(
  session: RunSession,
  object: SourceObjectName,
  records: readonly SourceRecord[],
  signal?: AbortSignal,
): Promise<void> {
  await session.people.lookUp(records.flatMap(peopleIn));
  if (object === "EmailMessage") {
    await attachTasks(session, records);
    await attachPeople(session.client, object, records);
  }
  if (object === "FeedComment") await attachVisibility(session, records);
  signal?.throwIfAborted();
  if (session.configuration.threads.attachments) await attachFiles(session.client, object, records);
  await attachSales(session.client, object, records);
  if (object !== "Task" && object !== "Event") return;
  await attachPeople(session.client, object, records);
  await markPatterns(session, object, records);
}

/**
 * Marks the patterns of recurring series whose occurrences this run imports. A pattern without occurrences is the only
 * record of its series.
 */
async function markPatterns(
  session: RunSession,
  object: "Task" | "Event",
  records: readonly SourceRecord[],
): Promise<void> {
  const patterns = new Map(records.filter(isRecurrencePattern).map((record) => [String(record.Id), record]));
  const where = conditionsOf(object, session.window);
  for (const ids of batchesOf([...patterns.keys()], IDS_PER_QUERY)) {
    for (const id of await patternsWithOccurrences(session.client, object, ids, where)) {
      const pattern = patterns.get(id);
      if (pattern) markHasOccurrences(pattern);
    }
  }
}

/**
 * The patterns that have occurrences which meet the conditions. None if the Salesforce user may not see which series a
 * record belongs to: a field, since the object itself has been read.
 */
export async function patternsWithOccurrences(
  client: SalesforceClient,
  object: "Task" | "Event",
  ids: readonly string[],
  conditions: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const where = [
    soqlIn("RecurrenceActivityId", ids),
    "IsRecurrence = false",
    "IsDeleted = false",
    ...(object === "Event" ? ["IsChild = false"] : []),
    ...conditions,
  ];
  const answers = answersBySpan([ALL_TIME], (span) =>
    countGroups(client, object, "RecurrenceActivityId", [...where, ...span], signal),
  );
  // A series may have occurrences in several spans.
  const patterns = new Set<string>();
  try {
    for await (const { answer } of answers) for (const pattern of answer.keys()) patterns.add(pattern);
  } catch (error) {
    if (!isFieldHidden(error)) throw error;
    return [];
  }
  return [...patterns];
}

/**
 * Adds to e-mails what only their Tasks contain: contact or lead, account, custom fields, and whether they are open.
 * Closed Tasks are not imported themselves. Deleted Tasks are ignored. The Tasks are read together with the e-mails, so
 * that a repeated import finds the same record.
 */
async function attachTasks(session: RunSession, emails: readonly SourceRecord[]): Promise<void> {
  const { kept, read, recordTypes } = await taskFieldsOf(session);
  const byTask = Map.groupBy(emails, (email) => textOf(email, "ActivityId"));
  const tasks = [...byTask.keys()].filter((id) => id !== null);
  if (read.length === 0) return;
  const gone = new Set(tasks);
  for (const ids of batchesOf(tasks, IDS_PER_QUERY)) {
    for await (const found of readTasks(session.client, read, ids)) {
      for (const task of found) {
        gone.delete(String(task.Id));
        byTask.get(String(task.Id))?.forEach((email) => attachTaskFields(email, task, kept, recordTypes));
      }
    }
  }
  // Where nobody can see which Tasks are open, all are copies.
  if (read.includes(IS_CLOSED)) for (const id of gone) byTask.get(id)?.forEach(noteGoneTask);
}

function readTasks(
  client: SalesforceClient,
  fields: readonly string[],
  ids: readonly string[],
): AsyncGenerator<SourceRecord[]> {
  const where = [soqlIn("Id", ids), "IsDeleted = false"];
  return readByKeyset(client, {
    from: "Task",
    fields: ["Id", ...fields],
    where,
    after: null,
    all: true,
    size: { records: MAX_PAGE_RECORDS },
  });
}

/** Adds to replies the visibility of their posts. Posts are read anew, because most of them are not imported. */
async function attachVisibility(session: RunSession, replies: readonly SourceRecord[]): Promise<void> {
  const { select } = await planOf(session, "FeedItem").catch(nothingToRead);
  const fields = VISIBILITY_OF_POST.filter((name) => select.includes(name));
  const ids = [...new Set(replies.map((reply) => textOf(reply, "FeedItemId")))].filter((id) => id !== null);
  const read = { from: "FeedItem", key: "Id", fields, pageRecords: feedItem.maxPageRecords };
  const posts = new Map((await readByIds(session.client, read, ids)).map((post) => [String(post.Id), post]));
  for (const reply of replies) setPost(reply, posts.get(String(reply.FeedItemId)));
}

function nothingToRead(error: unknown): { select: readonly string[] } {
  if (isObjectHidden(error)) return { select: [] };
  throw error;
}
