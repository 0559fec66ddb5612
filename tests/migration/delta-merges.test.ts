import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { change, delta, deletedOf, imported, OBJECTS, source } from "@/tests/migration/support/delta";
import { recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

beforeEach(() => registerJobSender(async () => undefined));

/** Merges the first record of an object into the second. Nothing that is linked to them is stamped. */
function merge(org: ScriptedSource, object: string, links: Record<string, string>): void {
  const [lost, kept] = org.records[object] ?? [];
  change(org, object, 0, { IsDeleted: true, MasterRecordId: kept?.Id });
  for (const [child, field] of Object.entries(links))
    for (const record of org.records[child] ?? []) if (record[field] === lost?.Id) record[field] = kept?.Id;
}

test("what a merge of accounts moves follows, though Salesforce has not stamped it", async () => {
  const org = source();
  Object.assign(org.records.Account?.[2] ?? {}, { ParentId: sourceId("001", 1) });
  Object.assign(org.records.Case?.[0] ?? {}, { AccountId: sourceId("001", 1) });
  org.records.Task = [
    sourceRecord("00T", 1, { Subject: "Call", WhatId: sourceId("001", 1), AccountId: sourceId("001", 1) }),
  ];
  const key = await imported(org, [...OBJECTS, "Task"]);
  const before = await recordsOf("accounts", key.organizationId);
  const kept = before[sourceId("001", 2)]?.id;
  merge(org, "Account", { Account: "ParentId", Contact: "AccountId", Case: "AccountId", Task: "AccountId" });
  Object.assign(org.records.Task[0] ?? {}, { WhatId: sourceId("001", 2) });
  const finished = await delta(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { Contact: { source: 1, updated: 1, unchanged: 0 } } });
  expect(await deletedOf(key)).toEqual({ Account: 1 });
  const of = async (resource: string, extId: string) => (await recordsOf(resource, key.organizationId))[extId];
  expect(await of("accounts", sourceId("001", 3))).toMatchObject({ parent_account_id: kept });
  expect(await of("contacts", sourceId("003", 1))).toMatchObject({ account_id: kept, custom_fields: {} });
  expect(await of("cases", sourceId("500", 1))).toMatchObject({ account_id: kept });
  expect(await of("activities", sourceId("00T", 1))).toMatchObject({ account_id: kept });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Contact: { source: 0 } } });
  expect(await runMigration(key, org)).toMatchObject({ status: "completed", lines: { Contact: { updated: 0 } } });
});

test("the entries of a merged case move to the thread of the other one, and are not deleted with it", async () => {
  const org = source();
  org.records.CaseComment?.push(
    sourceRecord("00a", 4, {
      ParentId: sourceId("500", 2),
      CommentBody: "Comment 4",
      CreatedDate: "2024-01-01T00:00:00.000+0000",
    }),
  );
  const key = await imported(org);
  const kept = (await recordsOf("cases", key.organizationId))[sourceId("500", 2)]?.id;
  merge(org, "Case", { CaseComment: "ParentId" });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { CaseComment: { updated: 3 } } });
  expect(await deletedOf(key)).toEqual({ Case: 1 });
  const entries = await recordsOf("case_comments", key.organizationId);
  expect([4, 1, 2, 3].map((number) => entries[sourceId("00a", number)])).toMatchObject(
    [1, 2, 3, 4].map((position) => ({ case_id: kept, position })),
  );
});
