import { beforeAll, expect, inject, test } from "vitest";

import { readDemo, tokenOf } from "@/tests/service/support/demo";
import type { Expectation } from "@/tests/service/support/expected/expectation";
import { lostFields } from "@/tests/service/support/expected/nothing-lost";
import { EXPECT } from "@/tests/service/support/expected/source-objects";
import { type SourceContext, sourceWorld } from "@/tests/service/support/expected/source-context";
import { judge, type RecordIssue } from "@/tests/service/support/judge";
import { analyze, type Migration, type ObjectRow, run } from "@/tests/service/support/migrate";
import { type MigratedRecords, readMigrated, RESOURCES } from "@/tests/service/support/migrated-records";
import { RestClient } from "@/tests/service/support/rest-client";
import { SOURCE_OBJECTS, type SourceObject, SourceOrg, type SourceRecord } from "@/tests/service/support/source-org";

/** Faults that are printed; thousands would hide the cause. */
const SHOWN_FAULTS = 10;

const demo = readDemo();
const source = new SourceOrg(demo.sandbox_org);

let client: RestClient;
let migration: Migration;
let context: SourceContext;
let migrated: MigratedRecords;
let issues: Map<string, RecordIssue>;

async function readSource(): Promise<SourceContext> {
  const records: Partial<Record<SourceObject, SourceRecord[]>> = {};
  for (const object of SOURCE_OBJECTS) records[object] = await source.records(object);
  const users = await source.records("User");
  if (users.some(({ Email }) => Email === demo.admin.email))
    throw new Error("The expectations take it that nobody owns records on both sides.");
  const emails = (records.EmailMessage ?? []).filter(({ HasAttachment }) => HasAttachment === true);
  const files = {
    instanceUrl: demo.sandbox_org.ext_instance_url,
    attachments: await source.records("Attachment"),
    versions: await source.records("ContentVersion"),
    links: await source.linksOf(emails.map(({ Id }) => Id)),
  };
  const queues = (await source.records("Group")).filter(({ Type }) => Type === "Queue");
  const recordTypes = await source.records("RecordType");
  const named = [...users, ...queues, ...recordTypes];
  return sourceWorld(
    records as SourceContext["records"],
    named,
    [...(await source.invitees()), ...(await source.recipients())],
    files,
  );
}

function expectationOf(object: SourceObject, record: SourceRecord): Expectation {
  return EXPECT[object](record, context);
}

function accountedFor({ created, updated, unchanged, skipped, failed }: ObjectRow): number {
  return created + updated + unchanged + skipped + failed;
}

beforeAll(async () => {
  client = new RestClient(demo.base_url, await tokenOf(demo), inject("validator"));
  const analyzed = await analyze(client, demo.sandbox_org);
  if (analyzed.status !== "ready")
    throw new Error(`The analysis ended as ${analyzed.status}: ${analyzed.failure?.detail ?? ""}`);
  migration = await run(client, analyzed.migration_id);
  const named = await client.list<RecordIssue>(`/api/v1/migration/${migration.migration_id}/errors`);
  issues = new Map(named.records.map((issue) => [issue.ext_id, issue]));
  if (issues.size !== named.records.length) throw new Error("The list of errors names a record twice.");
  [context, migrated] = await Promise.all([readSource(), readMigrated(client)]);
}, 600_000);

test("the migration reconciles, and its source counts are those of an independent client", async () => {
  expect(migration).toMatchObject({ reconciled: true, failure: null });
  expect(["completed", "completed_with_errors"]).toContain(migration.status);
  expect(migration.objects.map(({ object }) => object)).toEqual(SOURCE_OBJECTS);
  for (const line of migration.objects) {
    const counted = await source.count(line.object);
    expect
      .soft({ ...line, sum: accountedFor(line) }, line.object)
      .toMatchObject({ source: counted, sum: counted, reconciled: true, status: "done" });
    expect.soft(context.records[line.object]).toHaveLength(counted);
  }
});

test("the org has enough records for the other tests", () => {
  const all = Object.values(context.records).map((records) => records.length);
  expect(all.reduce((sum, count) => sum + count)).toBeGreaterThan(9000);
  expect(Math.min(...all)).toBeGreaterThan(100);
});

test.each(SOURCE_OBJECTS)(
  "every %s exists once with equal fields, or is listed as left out with its reason",
  (object) => {
    const faults = context.records[object].flatMap((record) =>
      judge(expectationOf(object, record), migrated.byExtId.get(record.Id), issues.get(record.Id)).map(
        (fault) => `${record.Id} ${fault}`,
      ),
    );
    expect.soft(faults.length).toBe(0);
    expect(faults.slice(0, SHOWN_FAULTS)).toEqual([]);
  },
);

test.each(SOURCE_OBJECTS)("no value of any field of a %s is lost", async (object) => {
  const fields = await source.fields(object);
  const faults = context.records[object].flatMap((record) => {
    const found = migrated.byExtId.get(record.Id);
    if (!found) return [];
    return lostFields(found.resource, fields, record, found).map(
      (name) => `${record.Id}.${name}: ${String(record[name])}`,
    );
  });
  expect.soft(faults.length).toBe(0);
  expect(faults.slice(0, SHOWN_FAULTS)).toEqual([]);
});

test("every record and every error belongs to a source record, and the counts are right", () => {
  const known = new Set(Object.values(context.records).flatMap((records) => records.map(({ Id }) => Id)));
  expect(migrated.strays).toEqual([]);
  expect([...migrated.byExtId.keys(), ...issues.keys()].filter((extId) => !known.has(extId))).toEqual([]);
  for (const { object, created, updated, unchanged, skipped, failed } of migration.objects) {
    const named = [...issues.values()].filter((issue) => issue.object === object);
    const counted = {
      created: context.records[object].filter(({ Id }) => migrated.byExtId.has(Id)).length,
      skipped: named.filter(({ outcome }) => outcome === "skipped").length,
      failed: named.filter(({ outcome }) => outcome === "failed").length,
    };
    expect
      .soft({ created, updated, unchanged, skipped, failed }, object)
      .toEqual({ ...counted, updated: 0, unchanged: 0 });
  }
});

test.each(RESOURCES)(
  "%s are listed newest first, and every id contains the creation time in milliseconds",
  (resource) => {
    const ids = migrated.records[resource].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const wrong = migrated.records[resource].filter(
      ({ id, created_at }) => Number.parseInt(id.replace("-", "").slice(0, 12), 16) !== Date.parse(created_at),
    );
    expect(wrong.slice(0, SHOWN_FAULTS)).toEqual([]);
  },
);

test("every thread is numbered from 1 without gaps, by time, then by source id", () => {
  const entries = migrated.records.case_comments.map((record) => ({
    caseId: record.case_id,
    position: record.position,
    extId: String(record.ext_id),
    moment: Date.parse(record.created_at),
  }));
  const threads = Map.groupBy(entries, ({ caseId }) => caseId);
  expect(threads.size).toBeGreaterThan(100);
  const faults = [...threads.values()].flatMap((thread) => {
    const byTime = thread.toSorted((one, other) => one.moment - other.moment || (one.extId < other.extId ? -1 : 1));
    return byTime.flatMap(({ extId, position }, index) =>
      position === index + 1 ? [] : [`${extId} is ${String(position)}, not ${index + 1}`],
    );
  });
  expect(faults.slice(0, SHOWN_FAULTS)).toEqual([]);
});

test("the same migration run again creates and changes nothing: every page stays identical", async () => {
  // A proxy that parses JSON also formats it anew.
  const direct = new RestClient(demo.base_url, await tokenOf(demo));
  const before = (await readMigrated(direct)).texts;
  const again = await run(client, migration.migration_id);
  expect(again).toMatchObject({ status: migration.status, reconciled: true, failure: null });
  for (const [index, line] of again.objects.entries()) {
    const { created, skipped, failed, source: counted } = migration.objects[index] ?? {};
    const expected = { created: 0, updated: 0, unchanged: created, skipped, failed, source: counted };
    expect.soft(line, line.object).toMatchObject(expected);
  }
  const { texts } = await readMigrated(direct);
  const changed = RESOURCES.filter((resource) => !sameTexts(texts[resource], before[resource]));
  expect(changed).toEqual([]);
  const named = await client.list<RecordIssue>(`/api/v1/migration/${migration.migration_id}/errors`);
  expect(named.records.map(({ ext_id }) => ext_id).toSorted()).toEqual([...issues.keys()].toSorted());
});

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
