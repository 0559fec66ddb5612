import { beforeEach, expect, test, vi } from "vitest";

// What a run reads follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["lead", "opportunity"];
});

import { registerJobSender } from "@/lib/jobs";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { SourceRecord } from "@/lib/salesforce/query";
import { change, delta, deletedOf, imported, merge, OBJECTS, source } from "@/tests/migration/support/delta";
import { issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

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

/** A record of each object without links, and the resource that it becomes. */
const RECORDS = {
  Account: ["accounts", { Name: "Account" }],
  Contact: ["contacts", { LastName: "Contact" }],
  Opportunity: ["opportunities", { Name: "Deal", StageName: "Qualification" }],
  Lead: ["leads", { LastName: "Lead" }],
  Case: ["cases", { Subject: "Case" }],
  CaseComment: ["case_comments", { CommentBody: "Comment" }],
  EmailMessage: ["case_comments", { TextBody: "Mail", RelatedToId: null }],
  FeedItem: ["case_comments", { Body: "Post" }],
  FeedComment: ["case_comments", { CommentBody: "Reply", FeedItemId: sourceId("0D5", 9) }],
  Task: ["activities", { Subject: "Call", WhatId: null }],
  Event: ["activities", { Subject: "Meeting", WhatId: null }],
} as const satisfies Partial<Record<SourceObjectName, [resource: string, SourceRecord]>>;

test.each<[merged: keyof typeof RECORDS, child: keyof typeof RECORDS, field: string, link: string]>([
  ["Account", "Account", "ParentId", "parent_account_id"],
  ["Account", "Contact", "AccountId", "account_id"],
  ["Account", "Opportunity", "AccountId", "account_id"],
  ["Account", "Case", "AccountId", "account_id"],
  ["Account", "Task", "AccountId", "account_id"],
  ["Account", "Event", "AccountId", "account_id"],
  ["Contact", "Contact", "ReportsToId", "reports_to_id"],
  ["Contact", "Opportunity", "ContactId", "contact_id"],
  ["Contact", "Case", "ContactId", "contact_id"],
  ["Contact", "Task", "WhoId", "contact_id"],
  ["Contact", "Event", "WhoId", "contact_id"],
  ["Lead", "Task", "WhoId", "lead_id"],
  ["Lead", "Event", "WhoId", "lead_id"],
  ["Case", "Case", "ParentId", "parent_case_id"],
  ["Case", "CaseComment", "ParentId", "case_id"],
  ["Case", "EmailMessage", "ParentId", "case_id"],
  ["Case", "FeedItem", "ParentId", "case_id"],
  ["Case", "FeedComment", "ParentId", "case_id"],
  ["Case", "Task", "WhatId", "case_id"],
  ["Case", "Event", "WhatId", "case_id"],
])("a merge of records of %s is followed by what names them: %s by %s", async (merged, child, field, link) => {
  const org = source();
  const [[resource, fields], [ownResource, ownFields]] = [RECORDS[child], RECORDS[merged]];
  const [lost, kept] = [sourceId(KEY_PREFIXES[merged], 1), sourceId(KEY_PREFIXES[merged], 2)];
  const naming = sourceRecord(KEY_PREFIXES[child], 9, { ...fields, [field]: lost });
  org.records[child] = [naming];
  org.records[merged] = [
    ...[1, 2].map((number) => sourceRecord(KEY_PREFIXES[merged], number, ownFields)),
    ...(merged === child ? [naming] : []),
  ];
  const key = await imported(org, [...new Set([merged, child])]);
  merge(org, merged, { [child]: field });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { [child]: { updated: 1 } } });
  expect(await deletedOf(key)).toEqual({ [merged]: 1 });
  const survivor = (await recordsOf(ownResource, key.organizationId))[kept]?.id;
  const { [String(naming.Id)]: linked } = await recordsOf(resource, key.organizationId);
  expect(linked).toMatchObject({ [link]: survivor });
});

test("a case that was merged and is kept gives its entries and activities to the other one", async () => {
  const org = source();
  org.records.Task = [sourceRecord("00T", 1, { Subject: "Call", WhatId: sourceId("500", 1) })];
  const key = await imported(org, [...OBJECTS, "Task"]);
  const cases = await recordsOf("cases", key.organizationId);
  merge(org, "Case", { CaseComment: "ParentId", Task: "WhatId" });
  change(org, "Case", 0, { IsDeleted: false, Status: "Merged" });
  const asked: string[] = [];
  org.beforeQuery = (soql) => {
    if (soql.includes("MasterRecordId != null")) asked.push(soql);
  };
  const lines = { CaseComment: { updated: 3 }, Task: { updated: 1 } };
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines });
  // Once for all objects.
  expect(asked).toHaveLength(1);
  expect(await deletedOf(key)).toEqual({});
  const kept = cases[sourceId("500", 2)]?.id;
  const entries = await recordsOf("case_comments", key.organizationId);
  expect([1, 2, 3].map((number) => entries[sourceId("00a", number)])).toMatchObject(
    [1, 2, 3].map((position) => ({ case_id: kept, position })),
  );
  expect((await recordsOf("activities", key.organizationId))[sourceId("00T", 1)]).toMatchObject({ case_id: kept });
});

test("many merges of cases that are kept are followed in parts as well, and asked for once", async () => {
  const org = source();
  const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
  org.records.Case = [...numbers, ...numbers.map((number) => number + 100)].map((number) =>
    sourceRecord("500", number, { Subject: "Case", CaseNumber: String(number) }),
  );
  org.records.CaseComment = numbers.map((number) =>
    sourceRecord("00a", number, { ParentId: sourceId("500", number), CommentBody: "Comment" }),
  );
  const key = await imported(org);
  for (const [index, comment] of org.records.CaseComment.entries()) {
    comment.ParentId = sourceId("500", index + 101);
    change(org, "Case", index, { MasterRecordId: comment.ParentId });
  }
  const [asked, parts]: [string[], number[]] = [[], []];
  org.beforeQuery = (soql) => {
    if (soql.includes("MasterRecordId != null")) asked.push(soql);
    if (/FROM CaseComment .*ParentId IN/.test(soql)) parts.push(soql.split("'500").length - 1);
  };
  expect(await delta(key, org, 0)).toMatchObject({ status: "completed", lines: { CaseComment: { updated: 25 } } });
  expect([asked.length, parts]).toEqual([1, [20, 5]]);
});

test("more merges of cases that are kept than one page are not kept in memory, but followed page by page", async () => {
  const org = source();
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  org.records.Case = [...numbers, 1000].map((number) => sourceRecord("500", number, { CaseNumber: String(number) }));
  org.records.CaseComment = numbers.map((number) =>
    sourceRecord("00a", number, { ParentId: sourceId("500", number), CommentBody: "Comment" }),
  );
  const key = await imported(org);
  for (const [index, comment] of org.records.CaseComment.entries()) {
    comment.ParentId = sourceId("500", 1000);
    change(org, "Case", index, { MasterRecordId: comment.ParentId });
  }
  const asked: string[] = [];
  org.beforeQuery = (soql) => {
    if (/FROM CaseComment .*ParentId IN/.test(soql)) asked.push("comments");
    if (!soql.includes("MasterRecordId != null")) return;
    const isLarge = Number(/LIMIT (\d+)/.exec(soql)?.[1]) > 100;
    if (isLarge) throw new SalesforceError("source_error", "Too long.", { status: 400, errorCode: "QUERY_TIMEOUT" });
    asked.push("merges");
  };
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { CaseComment: { updated: 200 } } });
  expect(asked.lastIndexOf("merges")).toBeGreaterThan(asked.indexOf("comments"));
});

test("many merges are followed in parts, and after each of them a slice can end", async () => {
  const org = source();
  const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
  org.records.Account = [...numbers, ...numbers.map((number) => number + 100)].map((number) =>
    sourceRecord("001", number, { Name: `Account ${number}` }),
  );
  org.records.Contact = numbers.map((number) =>
    sourceRecord("003", number, { LastName: "Contact", AccountId: sourceId("001", number) }),
  );
  const key = await imported(org, ["Account", "Contact"]);
  for (const [index, contact] of org.records.Contact.entries()) {
    contact.AccountId = sourceId("001", index + 101);
    change(org, "Account", index, { IsDeleted: true, MasterRecordId: contact.AccountId });
  }
  // The first one was merged into the last one, before that was merged itself.
  change(org, "Account", 0, { MasterRecordId: sourceId("001", 25) });
  Object.assign(org.records.Contact[0] ?? {}, { AccountId: sourceId("001", 125) });
  const asked: number[] = [];
  org.beforeQuery = (soql) => {
    if (soql.includes("MasterRecordId != null")) asked.push(soql.split("'001").length - 1);
  };
  expect(await delta(key, org, 0)).toMatchObject({ status: "completed", lines: { Contact: { updated: 25 } } });
  expect(await deletedOf(key)).toEqual({ Account: 25 });
  // What was followed and deleted in the first slice is not asked for in the second.
  expect(asked).toEqual([25, 5]);
  const [accounts, contacts] = [
    await recordsOf("accounts", key.organizationId),
    await recordsOf("contacts", key.organizationId),
  ];
  for (const number of numbers)
    expect(contacts[sourceId("003", number)]).toMatchObject({
      account_id: accounts[sourceId("001", number === 1 ? 125 : number + 100)]?.id,
      // It was never without an account.
      version: 2,
    });
});

/** An org with an account for each of two contacts of the same e-mail address, which a run has merged. */
async function mergedContacts(action: string, accountOfSecond = sourceId("001", 2)) {
  const org = source();
  Object.assign(org.records.Contact?.[1] ?? {}, { AccountId: accountOfSecond });
  for (const contact of org.records.Contact ?? []) Object.assign(contact, { Email: "ada@example.com", Phone: null });
  const duplicates = { rules: [{ match: [{ fields: ["email"] }] }], action };
  const configuration = { objects: { Contact: { duplicates } } } as never;
  return { org, key: await imported(org, ["Account", "Contact"], { configuration }) };
}

test.each([
  ["update", false, { source: 2, created: 0, updated: 2, skipped: 0 }],
  ["update", true, { source: 1, created: 0, updated: 1, skipped: 0 }],
  ["skip", false, { source: 2, created: 0, updated: 1, skipped: 1 }],
  ["skip", true, { source: 1, created: 0, updated: 0, skipped: 1 }],
])(
  "duplicates stay one record when their accounts are merged (%s, changed meanwhile: %s)",
  async (action, changes, line) => {
    const { org, key } = await mergedContacts(action);
    if (changes) change(org, "Contact", 1, { Phone: "2" });
    merge(org, "Account", { Contact: "AccountId" });
    expect(await delta(key, org, 0)).toMatchObject({ status: "completed", lines: { Contact: line } });
    const kept = (await recordsOf("accounts", key.organizationId))[sourceId("001", 2)]?.id;
    const here = await recordsOf("contacts", key.organizationId);
    expect(Object.keys(here)).toEqual([sourceId("003", 1)]);
    const phone = changes && action === "update" ? "2" : null;
    expect(here[sourceId("003", 1)]).toMatchObject({ account_id: kept, phone });
  },
);

async function whileContactsAreRefused<Result>(work: () => Promise<Result>): Promise<Result> {
  await pool().query(
    `CREATE FUNCTION refuse_contacts() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE check_violation USING MESSAGE = 'refused by a test'; END $$;
     CREATE TRIGGER refuse_contacts BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION refuse_contacts()`,
  );
  try {
    return await work();
  } finally {
    await pool().query("DROP FUNCTION refuse_contacts CASCADE");
  }
}

const skipped = { [sourceId("003", 2)]: { outcome: "skipped", code: "duplicate" } };

test.each([
  ["update", true, { source: 1, created: 1, skipped: 0, failed: 0 }, {}],
  ["update", false, { source: 1, created: 1, skipped: 0, failed: 0 }, {}],
  ["skip", true, { source: 2, created: 1, skipped: 1, failed: 0 }, skipped],
  ["skip", false, { source: 2, created: 1, skipped: 1, failed: 0 }, skipped],
])(
  "a record that failed is no longer listed so when a delta stores its cluster (%s, with a changed one: %s)",
  async (action, changes, line, issues) => {
    const { org, key } = await whileContactsAreRefused(() => mergedContacts(action, sourceId("001", 3)));
    const failed = { outcome: "failed", code: "not_storable" };
    expect(await issuesOf(key)).toMatchObject({ [sourceId("003", 1)]: failed, [sourceId("003", 2)]: failed });
    if (changes) change(org, "Contact", 0, { Phone: "2" });
    else merge(org, "Account", { Contact: "AccountId" });
    expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Contact: line } });
    const left = await issuesOf(key);
    expect([Object.keys(left), left]).toMatchObject([Object.keys(issues), issues]);
  },
);

test("a record is deleted that was merged into one of its duplicates which is here for itself as well", async () => {
  const { org, key } = await mergedContacts("update");
  await insertRecord("contacts", key.organizationId, { ext_id: sourceId("003", 2), last_name: "Contact 2" });
  merge(org, "Contact", {});
  expect(await delta(key, org)).toMatchObject({ status: "completed", failure: null });
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  expect(Object.keys(await recordsOf("contacts", key.organizationId))).toEqual([sourceId("003", 2)]);
});
