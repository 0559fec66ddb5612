import { expect, test } from "vitest";

import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { QueryPage } from "@/lib/salesforce/query";

const pattern = (prefix: string, number: number) =>
  sourceRecord(prefix, number, {
    Subject: "Pattern",
    IsRecurrence: true,
    IsChild: false,
    RecurrenceActivityId: sourceId(prefix, number),
  });
const occurrence = (prefix: string, number: number, of: number, fields = {}) =>
  sourceRecord(prefix, number, {
    Subject: "Occurrence",
    IsRecurrence: false,
    IsChild: false,
    RecurrenceActivityId: sourceId(prefix, of),
    ...fields,
  });

const DELETED = { IsDeleted: true, SystemModstamp: "2026-06-01T12:00:05.000+0000" };

function series(): ScriptedSource {
  return new ScriptedSource({
    Task: [pattern("00T", 1), occurrence("00T", 2, 1), pattern("00T", 3)],
    Event: [
      pattern("00U", 1),
      occurrence("00U", 2, 1),
      pattern("00U", 3),
      occurrence("00U", 4, 3, { IsChild: true }),
      pattern("00U", 5),
      occurrence("00U", 6, 5, DELETED),
    ],
  });
}

test("the pattern of a series is skipped only if one of its occurrences is imported", async () => {
  const key = await createMigration(["Task", "Event"]);
  const finished = await runMigration(key, series());
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Task: { source: 3, created: 2, skipped: 1 }, Event: { source: 6, created: 3, skipped: 3 } },
  });
  const imported = Object.keys(await recordsOf("activities", key.organizationId));
  const expected = [sourceId("00T", 2), sourceId("00T", 3), sourceId("00U", 2), sourceId("00U", 3), sourceId("00U", 5)];
  expect(imported.toSorted()).toEqual(expected);
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("00T", 1)]: { code: "recurrence_series" },
    [sourceId("00U", 1)]: { code: "recurrence_series" },
    [sourceId("00U", 4)]: { code: "invitee_copy" },
    [sourceId("00U", 6)]: { code: "deleted_in_source" },
  });
  const again = await runMigration(key, series());
  for (const line of Object.values(again.lines)) expect(line).toMatchObject({ created: 0, updated: 0 });
});

test("if Salesforce hides what belongs to a series, its pattern is imported rather than lost", async () => {
  const key = await createMigration(["Task"]);
  const source = new ScriptedSource({ Task: [pattern("00T", 1), occurrence("00T", 2, 1)] });
  source.beforeQuery = (soql) => {
    if (soql.includes("GROUP BY"))
      throw new SalesforceError("source_error", "No such column.", { status: 400, errorCode: "INVALID_FIELD" });
  };
  expect(await runMigration(key, source)).toMatchObject({ lines: { Task: { source: 2, created: 2, skipped: 0 } } });
});

test("if the search for occurrences takes too long, it is divided by time", async () => {
  const key = await createMigration(["Task", "Event"]);
  const source = series();
  const asked: string[] = [];
  source.beforeQuery = (soql) => {
    if (!soql.includes("GROUP BY")) return;
    asked.push(soql);
    if (soql.split("CreatedDate").length > 2) return;
    throw new SalesforceError("source_error", "Too long.", { status: 400, errorCode: "QUERY_TIMEOUT" });
  };
  expect(await runMigration(key, source)).toMatchObject({
    status: "completed",
    lines: { Task: { created: 2, skipped: 1 }, Event: { created: 3, skipped: 3 } },
  });
  expect(asked.length).toBeGreaterThan(2);
});

test("the occurrences of all series are found, although Salesforce tells of them in several answers", async () => {
  const key = await createMigration(["Task"]);
  const source = new ScriptedSource({
    Task: [pattern("00T", 1), pattern("00T", 2), occurrence("00T", 3, 1), occurrence("00T", 4, 2)],
  });
  const { json } = source;
  source.json = async (path, schema, options) => {
    const answer = await json.call(source, path, schema, options);
    if (!path.includes("GROUP%20BY")) return answer as never;
    const { records } = answer as QueryPage;
    return schema.parse({ totalSize: records.length, done: records.length < 2, records: records.slice(0, 1) });
  };
  expect(await runMigration(key, source)).toMatchObject({ lines: { Task: { created: 2, skipped: 2 } } });
});
