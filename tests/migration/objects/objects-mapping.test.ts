import { expect, test } from "vitest";

import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { createUser, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const OWNED = { OwnerId: sourceId("005", 1) };

test("owners are matched to members by e-mail in any case; ids and the names of others are kept", async () => {
  const key = await createMigration(["Account"]);
  const member = await createUser(key.organizationId, "member", `owner-${key.organizationId}@example.com`);
  const source = new ScriptedSource({
    User: [
      { Id: sourceId("005", 1), Name: "Olive Owner", Email: `Owner-${key.organizationId}@Example.com` },
      { Id: sourceId("005", 2), Name: "Gone Long Ago", Email: "gone@example.com" },
      { Id: sourceId("005", 3), Name: "Olive's integration", Email: `owner-${key.organizationId}@example.com` },
    ],
    Group: [{ Id: sourceId("00G", 1), Name: "Tier 2 queue" }],
    Account: [
      sourceRecord("001", 1, { Name: "A", ...OWNED }),
      sourceRecord("001", 2, { Name: "B", OwnerId: sourceId("005", 2) }),
      sourceRecord("001", 3, { Name: "C", OwnerId: sourceId("00G", 1) }),
      sourceRecord("001", 4, { Name: "D", OwnerId: sourceId("005", 9) }),
      sourceRecord("001", 5, { Name: "E", OwnerId: sourceId("005", 3) }),
    ],
  });
  await runMigration(key, source);
  const accounts = await recordsOf("accounts", key.organizationId);
  expect([1, 2, 3, 4].map((number) => accounts[sourceId("001", number)])).toMatchObject([
    { owner_id: member, custom_fields: { OwnerId: sourceId("005", 1) } },
    { owner_id: null, custom_fields: { OwnerId: sourceId("005", 2), "Owner.Name": "Gone Long Ago" } },
    { owner_id: null, custom_fields: { OwnerId: sourceId("00G", 1), "Owner.Name": "Tier 2 queue" } },
    { owner_id: null, custom_fields: { OwnerId: sourceId("005", 9) } },
  ]);
  expect(accounts[sourceId("001", 1)]?.custom_fields).not.toHaveProperty("Owner.Name");
  expect(accounts[sourceId("001", 5)]).toMatchObject({
    owner_id: member,
    custom_fields: { OwnerId: sourceId("005", 3) },
  });
});

test("every field without a column is kept under its API name, unless it only repeats others", async () => {
  const key = await createMigration(["Contact"]);
  const source = new ScriptedSource({
    Contact: [
      sourceRecord("003", 1, {
        LastName: "Müller",
        Name: "Dr. Müller",
        Fax: "+49 30 1",
        Interests__c: "Pumps;Trade, fairs",
        Shoe_Size__c: 42.5,
        Newsletter__c: false,
        Empty__c: null,
        IsEmailBounced: false,
        LastViewedDate: "2025-01-01T00:00:00.000+0000",
        PhotoUrl: "/services/images/photo/003",
        CreatedById: sourceId("005", 1),
      }),
    ],
  });
  await runMigration(key, source);
  expect((await recordsOf("contacts", key.organizationId))[sourceId("003", 1)]?.custom_fields).toEqual({
    Fax: "+49 30 1",
    Interests__c: "Pumps;Trade, fairs",
    Shoe_Size__c: 42.5,
    Newsletter__c: false,
    IsEmailBounced: false,
    CreatedById: sourceId("005", 1),
  });
});

test("a value that a column cannot store is kept unchanged, and the record is imported", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const source = new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: "a\0b \ud800", AnnualRevenue: 1e20, NumberOfEmployees: 5e9, Bio__c: "x\0\udc00" }),
    ],
    Contact: [sourceRecord("003", 1, { LastName: null, Birthdate: "1999-02-30" })],
  });
  expect(await runMigration(key, source)).toMatchObject({ status: "completed" });
  expect((await recordsOf("accounts", key.organizationId))[sourceId("001", 1)]).toMatchObject({
    name: "ab \u{fffd}",
    annual_revenue: null,
    number_of_employees: null,
    custom_fields: { AnnualRevenue: 1e20, NumberOfEmployees: 5e9, Bio__c: "x\u{fffd}" },
  });
  expect((await recordsOf("contacts", key.organizationId))[sourceId("003", 1)]).toMatchObject({
    last_name: "(no name)",
    birthdate: null,
    custom_fields: { Birthdate: "1999-02-30" },
  });
});

test("a record without a creation date fails by name, and no other does", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A", CreatedDate: "soon" }), sourceRecord("001", 2, { Name: "B" })],
  });
  expect(await runMigration(key, source)).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { source: 2, created: 1, failed: 1 } },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("001", 1)]: { code: "invalid_created_date", field: "CreatedDate", value: "soon" },
  });
});

test("a person account becomes one account and one contact of it", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const person = {
    IsPersonAccount: true,
    PersonContactId: sourceId("003", 1),
    PersonEmail: "p@example.com",
    Loyalty__pc: "L-1",
  };
  const source = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "Pat Person", ...person })],
    Contact: [
      sourceRecord("003", 1, {
        LastName: "Person",
        FirstName: "Pat",
        AccountId: sourceId("001", 1),
        Email: "p@example.com",
        Loyalty__c: "L-1",
      }),
    ],
  });
  await runMigration(key, source);
  const account = (await recordsOf("accounts", key.organizationId))[sourceId("001", 1)];
  const contacts = Object.values(await recordsOf("contacts", key.organizationId));
  expect(contacts).toMatchObject([
    { account_id: account?.id, email: "p@example.com", custom_fields: { Loyalty__c: "L-1" } },
  ]);
});

test("cases keep their numbers; one with a number in use gets a new one and keeps the old one beside it", async () => {
  const key = await createMigration(["Case"]);
  await insertRecord("cases", key.organizationId, { case_number: "00001002" });
  const numbers = ["00001001", "00001002", "00001001", null, "CS-7"];
  const Case = numbers.map((CaseNumber, index) => sourceRecord("500", index + 1, { CaseNumber, Subject: "S" }));
  await runMigration(key, new ScriptedSource({ Case }));
  const before = await recordsOf("cases", key.organizationId);
  expect([1, 2, 3, 4, 5].map((number) => before[sourceId("500", number)])).toMatchObject([
    { case_number: "00001001" },
    { case_number: "00001003", custom_fields: { CaseNumber: "00001002" } },
    { case_number: "00001004", custom_fields: { CaseNumber: "00001001" } },
    { case_number: "00001005" },
    { case_number: "CS-7" },
  ]);
  const again = await runMigration(key, new ScriptedSource({ Case }));
  expect(again.lines.Case).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
  const series = await pool().query(`SELECT next::int FROM number_series WHERE organization_id = $1`, [
    key.organizationId,
  ]);
  expect(series.rows).toEqual([{ next: 1006 }]);
});

test("the user's choices take precedence over the defaults: fields, values, and what is left out", async () => {
  const key = await createMigration(["Account", "Case"]);
  const source = new ScriptedSource({
    Account: [
      sourceRecord("001", 1, {
        Name: "A",
        Phone: "1",
        Hotline__c: "2",
        Fax: "3",
        Industry: "Tech",
        Head__c: sourceId("001", 2),
      }),
      sourceRecord("001", 2),
    ],
    Case: [
      sourceRecord("500", 1, { Status: "Zurückgestellt", Priority: "High", IsClosed: false }),
      sourceRecord("500", 2, { Status: "Neu", IsClosed: true }),
    ],
  });
  const configuration = {
    objects: {
      Account: {
        selected: true,
        fields: { Hotline__c: "phone", Fax: null, Head__c: "parent_account_id" },
        values: { Industry: { Tech: "Technology" } },
      },
      Case: { selected: true, fields: {}, values: { Status: { Zurückgestellt: "on_hold" } } },
    },
  };
  const finished = await runMigration(key, source, { configuration });
  expect(finished.status).toBe("completed");
  const accounts = await recordsOf("accounts", key.organizationId);
  const parent = accounts[sourceId("001", 2)];
  expect(accounts[sourceId("001", 1)]).toMatchObject({
    phone: "2",
    industry: "Technology",
    parent_account_id: parent?.id,
  });
  expect(accounts[sourceId("001", 1)]?.custom_fields).toEqual({ Phone: "1", Industry: "Tech" });
  const cases = await recordsOf("cases", key.organizationId);
  expect(cases[sourceId("500", 1)]).toMatchObject({
    status: "on_hold",
    priority: "high",
    custom_fields: { Status: "Zurückgestellt" },
  });
  expect(cases[sourceId("500", 2)]).toMatchObject({ status: "closed", custom_fields: { Status: "Neu" } });
});

test("an impossible choice ends the run with a sentence that names it, before anything is written", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: [sourceRecord("001", 1, { Name: "A", Fax: "3" })] });
  const configuration = { objects: { Account: { selected: true, fields: { Fax: "id" }, values: {} } } };
  const finished = await runMigration(key, source, { configuration });
  expect(finished).toMatchObject({
    status: "failed",
    failure: { code: "invalid_request", detail: expect.stringContaining("Fax onto id") },
  });
  expect(await recordsOf("accounts", key.organizationId)).toEqual({});
});

test("the midnights of an all-day event are kept as custom fields, so that its day is its due date", async () => {
  const key = await createMigration(["Event"]);
  const midnights = { StartDateTime: "2026-05-04T00:00:00.000+0000", EndDateTime: "2026-05-05T00:00:00.000+0000" };
  const event = { ...midnights, ActivityDate: "2026-05-04" };
  const other = { ...event, IsAllDayEvent: true, Doors__c: "2026-05-04T07:00:00.000+0000" };
  const dayless = { ...midnights, ActivityDate: null, IsAllDayEvent: true };
  const source = new ScriptedSource({
    Event: [
      sourceRecord("00U", 1, { ...event, IsAllDayEvent: true }),
      sourceRecord("00U", 2, { ...event, IsAllDayEvent: false }),
      sourceRecord("00U", 3, other),
      sourceRecord("00U", 4, dayless),
    ],
  });
  const chosen = { selected: true, fields: { StartDateTime: "custom_fields", Doors__c: "start_at" }, values: {} };
  await runMigration(key, source);
  const activities = async () => await recordsOf("activities", key.organizationId);
  expect(await activities()).toMatchObject({
    [sourceId("00U", 1)]: { due_date: "2026-05-04", start_at: null, end_at: null, custom_fields: midnights },
    [sourceId("00U", 2)]: { due_date: "2026-05-04", start_at: expect.stringContaining("2026-05-04") },
    [sourceId("00U", 4)]: { due_date: "2026-05-04", start_at: null, custom_fields: midnights },
  });
  await runMigration(key, source, { configuration: { objects: { Event: chosen } } });
  expect((await activities())[sourceId("00U", 3)]).toMatchObject({
    start_at: expect.stringContaining("07:00:00"),
    end_at: null,
    custom_fields: midnights,
  });
});
