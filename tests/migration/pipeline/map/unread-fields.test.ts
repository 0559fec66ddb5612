import { expect, test, vi } from "vitest";

// What a run reads follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["product"];
});

import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { updateOperation } from "@/lib/records/operations";
import { contextOf } from "@/tests/migration/support/delta";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

const ACCOUNT = sourceId("001", 1);
const CONTACT = sourceId("003", 1);
const CASE = sourceId("500", 1);
const AT = "2024-05-02T10:00:00.000+0000";

function org(): ScriptedSource {
  const changed = { LastModifiedDate: AT };
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "Pumps", Region__c: "North", ...changed })],
    Contact: [sourceRecord("003", 1, { LastName: "Weber", Phone: "1", Newsletter__c: true, AccountId: ACCOUNT })],
    Case: [sourceRecord("500", 1, { Subject: "Leak", ContactId: CONTACT, Model__c: "X1" })],
    CaseComment: [],
    EmailMessage: [
      sourceRecord("02s", 1, {
        ParentId: CASE,
        ActivityId: sourceId("00T", 1),
        Incoming: true,
        FromName: "Weber",
        MessageDate: AT,
        HtmlBody: "<p>It leaks</p>",
      }),
    ],
    Task: [
      sourceRecord("00T", 1, { Subject: "Email", TaskSubtype: "Email", Outcome__c: "Reached", WhoId: CONTACT }),
      sourceRecord("00T", 2, { Subject: "Call", TaskSubtype: "Call", WhoId: CONTACT, CallDurationInSeconds: 95 }),
    ],
    Event: [],
  });
}

/** As if the Salesforce user might not see fields any more, or they had been deleted. */
function hide(source: ScriptedSource, object: string, fields: readonly string[]): void {
  for (const record of source.records[object] ?? []) for (const field of fields) delete record[field];
}

const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"];

async function stored(organizationId: string): Promise<object[]> {
  const read = await Promise.all(RESOURCES.map((resource) => recordsOf(resource, organizationId)));
  return read.flatMap((records) => Object.values(records));
}

test("what a field told is kept when nobody can read the field any more, and so is what people added", async () => {
  const key = await createMigration();
  const source = org();
  await runMigration(key, source);
  const before = await stored(key.organizationId);
  hide(source, "Account", ["Region__c"]);
  hide(source, "Contact", ["LastName", "Phone", "Newsletter__c", "AccountId"]);
  hide(source, "Case", ["Subject", "Model__c", "OwnerId"]);
  hide(source, "EmailMessage", ["HtmlBody", "Incoming", "FromName", "MessageDate"]);
  hide(source, "Task", ["Outcome__c", "WhoId", "TaskSubtype", "CallDurationInSeconds"]);
  const again = await runMigration(key, source);
  expect(again.lines.Contact).toMatchObject({ updated: 0, unchanged: 1 });
  expect(await stored(key.organizationId)).toEqual(before);

  source.records.Account?.forEach((account) => Object.assign(account, { Name: "Pumps & Valves" }));
  source.records.Contact?.push(sourceRecord("003", 2, { Title: "Buyer" }));
  await runMigration(key, source);
  expect((await recordsOf("accounts", key.organizationId))[ACCOUNT]).toMatchObject({
    name: "Pumps & Valves",
    custom_fields: { Region__c: "North" },
  });
  expect(await recordsOf("contacts", key.organizationId)).toMatchObject({
    [CONTACT]: { last_name: "Weber", phone: "1", custom_fields: { Newsletter__c: true } },
    [sourceId("003", 2)]: { last_name: "(no name)", title: "Buyer" },
  });
});

const withPassport = (number: number) =>
  sourceRecord("003", number, { LastName: "Weber", Passport_Encrypted__c: "C01X" });

test("an encrypted value is kept when the user gets only its mask, and no mask is imported", async () => {
  const key = await createMigration(["Contact"]);
  const permission = { Id: "0up", PermissionsViewEncryptedData: true };
  const source = new ScriptedSource({ Contact: [withPassport(1)], UserPermissionAccess: [permission] });
  await runMigration(key, source);
  permission.PermissionsViewEncryptedData = false;
  source.records.Contact?.push(withPassport(2));
  for (const record of source.records.Contact ?? [])
    Object.assign(record, { Passport_Encrypted__c: "***X", Title: "Dr" });
  await runMigration(key, new ScriptedSource(source.records));
  const contacts = await recordsOf("contacts", key.organizationId);
  expect(contacts[CONTACT]).toMatchObject({ title: "Dr", custom_fields: { Passport_Encrypted__c: "C01X" } });
  expect(contacts[sourceId("003", 2)]).toMatchObject({ title: "Dr" });
  expect(contacts[sourceId("003", 2)]?.custom_fields).not.toHaveProperty("Passport_Encrypted__c");
});

test("what a Task told of its e-mail is kept when nobody can read Tasks any more", async () => {
  const key = await createMigration(["Account", "Contact", "EmailMessage", "Task"]);
  const email = { ParentId: null, RelatedToId: ACCOUNT, ActivityId: sourceId("00T", 1), FromId: sourceId("005", 1) };
  const source = new ScriptedSource({ ...org().records, EmailMessage: [sourceRecord("02s", 1, email)] });
  await runMigration(key, source);
  const before = await stored(key.organizationId);
  const one = (await recordsOf("activities", key.organizationId))[sourceId("02s", 1)];
  expect(one).toMatchObject({ contact_id: expect.any(String), custom_fields: { "Task.Outcome__c": "Reached" } });
  delete source.records.Task;
  const configuration = { objects: { Task: { selected: false, fields: {}, values: {} } } };
  const again = await runMigration(key, source, { configuration });
  expect(again.lines.EmailMessage).toMatchObject({ source: 1, unchanged: 1 });
  expect(await stored(key.organizationId)).toEqual(before);
});

test("the price of a product is kept when nobody can read prices any more, or how high they are", async () => {
  const key = await createMigration(["Product2"]);
  const source = new ScriptedSource({
    Product2: [sourceRecord("01t", 1, { Name: "Pump" })],
    PricebookEntry: [sourceRecord("01u", 1, { Product2Id: sourceId("01t", 1), UnitPrice: 12.345 })],
  });
  await runMigration(key, source);
  const before = await recordsOf("products", key.organizationId);
  expect(Object.values(before)).toMatchObject([{ unit_price: 12.35, custom_fields: { StandardPrices: [{}] } }]);
  hide(source, "PricebookEntry", ["UnitPrice"]);
  await runMigration(key, new ScriptedSource(source.records));
  expect(await recordsOf("products", key.organizationId)).toEqual(before);
  const { PricebookEntry: _, ...records } = source.records;
  await runMigration(key, new ScriptedSource(records));
  expect(await recordsOf("products", key.organizationId)).toEqual(before);
});

test("the invitees of an event are kept when nobody can read them any more", async () => {
  const key = await createMigration(["Event"]);
  const EventId = sourceId("00U", 1);
  const source = new ScriptedSource({
    Event: [sourceRecord("00U", 1, { Subject: "Meeting", IsGroupEvent: true })],
    EventRelation: [sourceRecord("0RE", 1, { EventId, RelationId: CONTACT, Status: "New" })],
  });
  await runMigration(key, source);
  const before = await recordsOf("activities", key.organizationId);
  expect(before).toMatchObject({ [EventId]: { custom_fields: { EventRelations: [{ RelationId: CONTACT }] } } });
  const { EventRelation: _, ...records } = source.records;
  await runMigration(key, new ScriptedSource(records));
  expect(await recordsOf("activities", key.organizationId)).toEqual(before);
});

test("an e-mail stays in its thread when nobody can read its case any more, and is listed", async () => {
  const key = await createMigration();
  const source = org();
  await runMigration(key, source);
  const before = await recordsOf("case_comments", key.organizationId);
  hide(source, "EmailMessage", ["ParentId"]);
  const again = await runMigration(key, source);
  expect(again.lines.EmailMessage).toMatchObject({ created: 0, failed: 1 });
  expect(await recordsOf("case_comments", key.organizationId)).toEqual(before);
});

test("what is emptied in the source or left out by choice is removed, though other fields are hidden", async () => {
  const key = await createMigration();
  const source = org();
  await runMigration(key, source);
  hide(source, "Contact", ["Phone"]);
  source.records.Contact?.forEach((contact) => Object.assign(contact, { Newsletter__c: null }));
  source.records.Task?.forEach((task) => Object.assign(task, { Outcome__c: null }));
  const configuration = { objects: { Case: { selected: true, fields: { Model__c: null }, values: {} } } };
  await runMigration(key, source, { configuration });
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]?.custom_fields).not.toHaveProperty("Newsletter__c");
  expect((await recordsOf("cases", key.organizationId))[CASE]?.custom_fields).not.toHaveProperty("Model__c");
  const [email] = Object.values(await recordsOf("case_comments", key.organizationId));
  expect(email?.custom_fields).toMatchObject({ "Task.WhoId": CONTACT });
  expect(email?.custom_fields).not.toHaveProperty(["Task.Outcome__c"]);
});

test("a column is emptied of a field that is left out or mapped elsewhere since, and of no hidden one", async () => {
  const key = await createMigration();
  const source = org();
  Object.assign(source.records.Contact?.[0] ?? {}, { Birthdate: "1980-02-03", Title: "Dr", DoNotCall: true });
  await runMigration(key, source);
  const contact = async () => (await recordsOf("contacts", key.organizationId))[CONTACT];
  expect(await contact()).toMatchObject({ birthdate: "1980-02-03", phone: "1", title: "Dr", do_not_call: true });
  expect((await contact())?.account_id).not.toBeNull();
  hide(source, "Contact", ["Title"]);
  const fields = { Birthdate: null, Phone: "mobile_phone", AccountId: null, DoNotCall: null };
  const configuration = { objects: { Contact: { selected: true, fields, values: {} } } };
  const again = await runMigration(key, source, { configuration });
  expect(again.lines.Contact).toMatchObject({ updated: 1 });
  const emptied = { birthdate: null, phone: null, mobile_phone: "1", account_id: null, do_not_call: false };
  expect(await contact()).toMatchObject({ ...emptied, title: "Dr" });
});

test("a column without a field keeps what people wrote, and what a field gave it that cannot be read now", async () => {
  const key = await createMigration();
  const source = org();
  const fields = { Phone: "mobile_phone", Newsletter__c: "phone", Birthdate: null };
  source.records.Contact?.forEach((record) => Object.assign(record, { Newsletter__c: "7", Birthdate: "1980-02-03" }));
  const configuration = { objects: { Contact: { selected: true, fields, values: {} } } };
  await runMigration(key, source, { configuration });
  const contact = async () => (await recordsOf("contacts", key.organizationId))[CONTACT];
  expect(await contact()).toMatchObject({ phone: "7", mobile_phone: "1", birthdate: null });
  hide(source, "Contact", ["Newsletter__c"]);
  const context = contextOf(key);
  await run(updateOperation("contacts"), context, { id: (await contact())?.id, birthdate: "1990-01-01" });
  // Nor is it lost with the run after that.
  for (const title of ["Dr", "Prof"]) {
    source.records.Contact?.forEach((record) => Object.assign(record, { Title: title }));
    await runMigration(key, source, { configuration });
    expect(await contact()).toMatchObject({ phone: "7", mobile_phone: "1", birthdate: "1990-01-01", title });
  }
});

test("a plan in which nothing is left out fills the columns that it maps, and no others", () => {
  const described = [...Object.keys(SOURCE_OBJECTS.Contact.fields), "Custom__c"].map((name) => ({
    name,
    type: "string",
  }));
  const { columns, references, fields } = planObject("Contact", described).main;
  const targets = fields.flatMap(({ target }) => (target === "custom_fields" ? [] : [target]));
  expect([...columns.map(({ name }) => name), ...references].toSorted()).toEqual(targets.toSorted());
});

const reported = (names: string[]) => names.map((source) => ({ source, type: "string" }));

test("the history names the fields that a run cannot read, once, and none that was left out by choice", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const inventory = [
    { object: "Account", status: "automatic", fields: reported(["Id", "Name", "Region__c", "SystemModstamp"]) },
    { object: "Contact", status: "automatic", fields: reported(["LastName", "Phone", "Newsletter__c", "AccountId"]) },
  ];
  await pool().query("UPDATE migrations SET report = $2 WHERE id = $1", [key.migrationId, { inventory }]);
  const source = org();
  const told = async () => {
    const { rows } = await pool().query<{ object: string; reason: string }>(
      `SELECT object, details ->> 'reason' AS reason FROM migration_history
       WHERE migration_id = $1 AND event = 'fields_hidden' ORDER BY id`,
      [key.migrationId],
    );
    return rows;
  };
  const configuration = { objects: { Contact: { selected: true, fields: { Phone: null }, values: {} } } };
  await runMigration(key, source, { configuration });
  expect(await told()).toEqual([]);
  hide(source, "Contact", ["Phone", "Newsletter__c", "AccountId"]);
  await runMigration(key, source, { configuration });
  await runMigration(key, source, { configuration });
  const reason =
    "Salesforce no longer shows Newsletter__c and AccountId. Records that are here keep what they have there.";
  expect(await told()).toEqual([{ object: "Contact", reason }]);
  hide(source, "Account", ["Region__c"]);
  await runMigration(key, source, { configuration });
  expect(await told()).toMatchObject([{ object: "Contact" }, { object: "Account" }]);
  source.records.Contact?.forEach((record) => Object.assign(record, { Passport_Encrypted__c: "***X" }));
  const fields = ["Passport_Encrypted__c", "Gone_Encrypted__c"].map((name) => ({
    source: name,
    type: "encryptedstring",
  }));
  await pool().query("UPDATE migrations SET report = $2 WHERE id = $1", [
    key.migrationId,
    { inventory: [{ object: "Contact", status: "automatic", fields }] },
  ]);
  await runMigration(key, source, { configuration });
  expect((await told()).at(-1)).toEqual({
    object: "Contact",
    reason:
      "Salesforce no longer shows Gone_Encrypted__c. Salesforce does not show the encrypted values of " +
      "Passport_Encrypted__c. Records that are here keep what they have there.",
  });
});
