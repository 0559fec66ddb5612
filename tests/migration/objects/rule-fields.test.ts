import { expect, test, vi } from "vitest";

// What a run reads follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["lead", "opportunity", "product"];
});

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { isMappable } from "@/lib/migration/configuration/mapping-rules";
import { objectOf } from "@/lib/migration/objects/key-prefixes";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { ruleFieldsOf } from "@/lib/migration/objects/rule-fields";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { createUser } from "@/tests/support/factories";

const [ACCOUNT, CONTACT, CASE] = [sourceId("001", 1), sourceId("003", 1), sourceId("500", 1)];
const [MEMBER, OTHER] = [sourceId("005", 1), sourceId("005", 2)];
const EMAIL = sourceId("02s", 1);
const POST = sourceId("0D5", 5);
const [TASK_SERIES, EVENT_SERIES] = [sourceId("00T", 3), sourceId("00U", 2)];

const email = (number: number, fields: object) =>
  sourceRecord("02s", number, { ParentId: null, RelatedToId: null, CreatedById: OTHER, Status: "3", ...fields });
const post = (number: number, fields: object) =>
  sourceRecord("0D5", number, { ParentId: CASE, Body: null, CreatedById: OTHER, ...fields });

/** Records of which each is what it is by a field that a rule reads. */
function org(): ScriptedSource {
  return new ScriptedSource({
    User: [
      { Id: MEMBER, Name: "Jo Member", Email: "jo@source.example" },
      { Id: OTHER, Name: "Integration", Email: "integration@source.example" },
    ],
    Account: [sourceRecord("001", 1, { Name: "Pumps" })],
    Contact: [sourceRecord("003", 1, { LastName: "Weber", AccountId: ACCOUNT })],
    Product2: [sourceRecord("01t", 1, { Name: "Pump", CurrencyIsoCode: "USD" })],
    PricebookEntry: [
      sourceRecord("01u", 1, { Product2Id: sourceId("01t", 1), UnitPrice: 5, CurrencyIsoCode: "EUR" }),
      sourceRecord("01u", 2, { Product2Id: sourceId("01t", 1), UnitPrice: 7, CurrencyIsoCode: "USD" }),
    ],
    Opportunity: [
      sourceRecord("006", 1, { Name: "Won", IsClosed: true, IsWon: true, HasOpportunityLineItem: true }),
      sourceRecord("006", 2, { Name: "Lost", IsClosed: true, IsWon: false, HasOpportunityLineItem: false }),
    ],
    Lead: [sourceRecord("00Q", 1, { LastName: "Weber", Status: "Working", IsConverted: true })],
    Case: [sourceRecord("500", 1, { Subject: "Leak", Status: null, IsClosed: true })],
    CaseComment: [],
    EmailMessage: [
      email(1, { ParentId: CASE, ActivityId: sourceId("00T", 1), Incoming: true, HasAttachment: true }),
      email(2, { ParentId: CASE, HtmlBody: "<p>It leaks</p>", FromAddress: "weber@example.com", FromId: MEMBER }),
      email(3, { ParentId: CASE, TextBody: "From nobody", CreatedById: MEMBER }),
      email(4, { RelatedToId: ACCOUNT, ActivityId: sourceId("00T", 2), FromId: CONTACT, Status: "5" }),
      email(5, { RelatedToId: ACCOUNT, FromId: sourceId("003", 9), HtmlBody: "<b>Offer</b>" }),
    ],
    Attachment: [{ Id: sourceId("00P", 1), ParentId: EMAIL, Name: "photo.jpg" }],
    FeedItem: [
      post(1, { Type: "EmailMessageEvent", Body: "It leaks", RelatedRecordId: EMAIL }),
      post(2, { Type: "LinkPost", Title: "Manual" }),
      post(3, { Type: "LinkPost", LinkUrl: "https://kb.example/1" }),
      post(4, { Type: "TrackedChange" }),
      post(5, { Type: "TextPost", Body: "<p>Seal</p>", IsRichText: true, Visibility: "AllUsers" }),
      post(6, { Type: "ContentPost", HasContent: true }),
    ],
    FeedComment: [
      sourceRecord("0D7", 1, {
        ParentId: CASE,
        FeedItemId: POST,
        CommentBody: "<i>Thanks</i>",
        IsRichText: true,
        RelatedRecordId: sourceId("068", 1),
      }),
    ],
    ContentVersion: [{ Id: sourceId("068", 1), Title: "Log", FileExtension: "txt", ContentSize: 9 }],
    Task: [
      sourceRecord("00T", 1, { Subject: "Email", WhoId: CONTACT }),
      sourceRecord("00T", 2, { Subject: "Email" }),
      sourceRecord("00T", 3, { Subject: "Series", IsRecurrence: true, RecurrenceActivityId: TASK_SERIES }),
      sourceRecord("00T", 4, { Subject: "Occurrence", IsRecurrence: false, RecurrenceActivityId: TASK_SERIES }),
      sourceRecord("00T", 5, { Subject: "Done", Status: null, IsClosed: true }),
    ],
    Event: [
      sourceRecord("00U", 1, { Subject: "Copy", IsChild: true }),
      sourceRecord("00U", 2, { Subject: "Series", IsRecurrence: true, RecurrenceActivityId: EVENT_SERIES }),
      sourceRecord("00U", 3, { Subject: "Occurrence", IsChild: false, RecurrenceActivityId: EVENT_SERIES }),
    ],
  });
}

const SKIPPED = {
  [sourceId("00T", 1)]: "mirrored_by_email",
  [sourceId("00T", 2)]: "mirrored_by_email",
  [sourceId("00T", 3)]: "recurrence_series",
  [sourceId("00U", 1)]: "invitee_copy",
  [sourceId("00U", 2)]: "recurrence_series",
  [sourceId("0D5", 1)]: "mirrored_in_feed",
  [sourceId("0D5", 4)]: "feed_notice",
};

/** The fields that rules read and that the user can leave out. */
function choosable(object: SourceObjectName): string[] {
  const names = new Set((org().records[object] ?? []).flatMap(Object.keys));
  return [...ruleFieldsOf(SOURCE_OBJECTS[object])].filter(
    (name) => names.has(name) && isMappable(object, { source: name, type: "string" }),
  );
}

const LEFT_OUT = new Map<string | undefined, string[]>(IMPORT_ORDER.map((object) => [object, choosable(object)]));

const WITHOUT = configurationSchema.parse({
  objects: Object.fromEntries(
    [...LEFT_OUT].map(([object, names]) => [object, { fields: Object.fromEntries(names.map((name) => [name, null])) }]),
  ),
});

const RESOURCES = "accounts contacts products opportunities leads cases case_comments activities".split(" ");

/** What is of one organization or run alone, and the columns of fields that are left out. */
const NOT_COMPARED = new Set(
  "organization_id migration_id source_digest updated_at version imported_version currency".split(" "),
);

type Contents = Record<string, Record<string, unknown> & { custom_fields: Record<string, unknown> }>;

/** All records of an organization, with source ids in place of ours. */
async function contentsOf({ organizationId }: MigrationKey, member: string): Promise<Contents> {
  const all: Awaited<ReturnType<typeof recordsOf>> = {};
  for (const resource of RESOURCES) Object.assign(all, await recordsOf(resource, organizationId));
  const names = new Map<unknown, string>(Object.entries(all).map(([extId, { id }]) => [id, extId]));
  names.set(member, "member");
  const entries = Object.entries(all).map(([extId, record]) => {
    const compared = Object.entries(record).filter(([name]) => !NOT_COMPARED.has(name));
    return [extId, Object.fromEntries(compared.map(([name, value]) => [name, names.get(value) ?? value]))];
  });
  return Object.fromEntries(entries) as Contents;
}

function withoutLeftOut(contents: Contents): Contents {
  return Object.fromEntries(
    Object.entries(contents).map(([extId, record]) => {
      const left = LEFT_OUT.get(objectOf(extId)) ?? [];
      const kept = Object.entries(record.custom_fields).filter(([name]) => !left.includes(name));
      return [extId, { ...record, custom_fields: Object.fromEntries(kept) }];
    }),
  );
}

async function begin(): Promise<{ key: MigrationKey; member: string; source: ScriptedSource }> {
  const key = await createMigration(IMPORT_ORDER);
  const address = `jo-${key.organizationId}@example.com`;
  const member = await createUser(key.organizationId, "member", address);
  const source = org();
  source.records.User?.slice(0, 1).forEach((user) => Object.assign(user, { Email: address }));
  return { key, member, source };
}

const codesOf = async (key: MigrationKey) =>
  Object.fromEntries(Object.entries(await issuesOf(key)).map(([extId, { code }]) => [extId, code]));

test("a field that is left out is not kept, and still decides what is skipped, linked and written", async () => {
  const { key, member, source } = await begin();
  await runMigration(key, source);
  expect(await codesOf(key)).toEqual(SKIPPED);
  const whole = await contentsOf(key, member);
  expect(whole).toMatchObject({
    [sourceId("01t", 1)]: { unit_price: 7 },
    [sourceId("006", 1)]: { stage: "closed_won" },
    [sourceId("00Q", 1)]: { status: "converted" },
    [sourceId("500", 1)]: { status: "closed" },
    [sourceId("02s", 2)]: { body: "It leaks", author_id: "member", author_name: "weber@example.com" },
    [sourceId("02s", 3)]: { author_id: "member" },
    [sourceId("02s", 4)]: { contact_id: CONTACT, status: "not_started" },
    [sourceId("02s", 5)]: { contact_id: null, custom_fields: { FromId: sourceId("003", 9) } },
    [sourceId("0D5", 2)]: { body: "Manual" },
    [sourceId("0D5", 3)]: { body: "https://kb.example/1" },
    [sourceId("0D7", 1)]: { body: "Thanks", is_public: true, custom_fields: { Attachments: [{ name: "Log.txt" }] } },
    [sourceId("00T", 5)]: { status: "completed" },
  });

  const other = await begin();
  await runMigration(other.key, other.source, { configuration: WITHOUT });
  expect(await codesOf(other.key)).toEqual(SKIPPED);
  expect(await contentsOf(other.key, other.member)).toEqual(withoutLeftOut(whole));

  await runMigration(key, source, { configuration: WITHOUT });
  expect(await codesOf(key)).toEqual(SKIPPED);
  expect(await contentsOf(key, member)).toEqual(withoutLeftOut(whole));
});

test("where the status itself is left out, what is closed or converted in Salesforce is so here", async () => {
  const key = await createMigration(["Case", "Task"]);
  const closed = [true, false];
  const source = new ScriptedSource({
    Case: closed.map((IsClosed, index) => sourceRecord("500", index + 1, { Status: "Done", IsClosed })),
    Task: closed.map((IsClosed, index) => sourceRecord("00T", index + 1, { Status: "Done", IsClosed })),
  });
  const without = { selected: true, fields: { Status: null }, values: {} };
  await runMigration(key, source, { configuration: { objects: { Case: without, Task: without } } });
  const statusesOf = async (resource: string, prefix: string) => {
    const records = await recordsOf(resource, key.organizationId);
    return [1, 2].map((number) => records[sourceId(prefix, number)]?.status);
  };
  expect(await statusesOf("cases", "500")).toEqual(["closed", "new"]);
  expect(await statusesOf("activities", "00T")).toEqual(["completed", "not_started"]);
});
