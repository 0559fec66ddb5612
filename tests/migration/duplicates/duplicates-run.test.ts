import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import type { SourceRecord } from "@/lib/salesforce/query";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { clustersOf, membersOf } from "@/tests/migration/support/search-duplicates";
import { pool } from "@/tests/support/owner";

const BY_EMAIL = { rules: [{ match: [{ fields: ["email"] }] }] };

/** A configuration with choices for the duplicates of contacts. */
function contacts(choices: object) {
  return { configuration: { objects: { Contact: { duplicates: { ...BY_EMAIL, ...choices } } } } as never };
}

const [one, two, three] = [1, 2, 3].map((number) => sourceId("003", number)) as [string, string, string];

function twoPeople(): SourceRecord[] {
  return [
    sourceRecord("003", 1, { LastName: "Lovelace", Email: "ada@example.com", Phone: null, HasOptedOutOfEmail: false }),
    sourceRecord("003", 2, { LastName: "Hopper", Email: "grace@example.com", Phone: "2", HasOptedOutOfEmail: false }),
    sourceRecord("003", 3, {
      LastName: "King-Noel Lovelace",
      Email: "ADA@example.com",
      Phone: "030 1",
      HasOptedOutOfEmail: true,
      Region__c: "North",
    }),
  ];
}

async function addContact(organizationId: string, email: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = newId();
  await pool().query(
    `INSERT INTO contacts (organization_id, id, created_at, updated_at, last_name, email, phone, title, ext_id)
     VALUES ($1, $2, now(), now(), $3, $4, $5, $6, $7)`,
    [organizationId, id, more.last_name ?? "Here", email, more.phone ?? null, more.title ?? null, more.ext_id ?? null],
  );
  return id;
}

async function contactsHere(organizationId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await pool().query<{ record: Record<string, unknown> }>(
    "SELECT to_jsonb(c) AS record FROM contacts c WHERE organization_id = $1 ORDER BY id",
    [organizationId],
  );
  return rows.map(({ record }) => record);
}

test("duplicates of the source become one: empty values are filled, and who opted out stays so", async () => {
  const key = await createMigration(["Contact"]);
  const finished = await runMigration(key, new ScriptedSource({ Contact: twoPeople() }), contacts({}));
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Contact: { source: 3, created: 2, updated: 1, unchanged: 0, skipped: 0, failed: 0 } },
  });
  const here = await recordsOf("contacts", key.organizationId);
  expect(Object.keys(here).toSorted()).toEqual([one, two]);
  expect(here[one]).toMatchObject({
    last_name: "Lovelace",
    email: "ada@example.com",
    phone: "030 1",
    email_opt_out: true,
    version: 1,
    custom_fields: { Region__c: "North" },
  });
  const clusters = await clustersOf(key, "run");
  expect(membersOf(clusters)).toEqual([[one, three]]);
  expect(clusters[0]).toMatchObject({ survivor: { record_id: here[one]?.id, rule: 0 }, action: "update", count: 1 });
});

test.each([
  ["source", "Lovelace", "030 1"],
  ["newest", "Lovelace", "030 1"],
  ["longest", "King-Noel Lovelace", "030 1"],
])("where %s wins, the name is %s", async (wins, name, phone) => {
  const key = await createMigration(["Contact"]);
  const people = twoPeople();
  if (wins === "newest") Object.assign(people[0] ?? {}, { LastModifiedDate: "2026-01-01T00:00:00.000+0000" });
  await runMigration(key, new ScriptedSource({ Contact: people }), contacts({ wins }));
  expect((await recordsOf("contacts", key.organizationId))[one]).toMatchObject({ last_name: name, phone });
});

test("a run again changes nothing, and merges a change of a duplicate", async () => {
  const key = await createMigration(["Contact"]);
  const people = twoPeople();
  await runMigration(key, new ScriptedSource({ Contact: people }), contacts({}));
  const before = await contactsHere(key.organizationId);
  const again = await runMigration(key, new ScriptedSource({ Contact: people }), contacts({}));
  expect(again.lines.Contact).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  expect(await contactsHere(key.organizationId)).toEqual(before);
  Object.assign(people[2] ?? {}, { Phone: "030 2", Email: "other@example.com" });
  const changed = await runMigration(key, new ScriptedSource({ Contact: people }), contacts({}));
  expect(changed.lines.Contact).toMatchObject({ created: 0, updated: 2, unchanged: 1 });
  expect(await contactsHere(key.organizationId)).toHaveLength(2);
});

test("what was merged stays merged without rules, and with the action create", async () => {
  const key = await createMigration(["Contact"]);
  const source = new ScriptedSource({ Contact: twoPeople() });
  await runMigration(key, source, contacts({}));
  const before = await contactsHere(key.organizationId);
  for (const configuration of [{ objects: {} }, contacts({ action: "create" }).configuration]) {
    const again = await runMigration(key, source, { configuration });
    expect(again.lines.Contact).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(await contactsHere(key.organizationId)).toEqual(before);
  }
});

/** Contacts of which each shares its phone number or its e-mail address with the next one. */
function chainOf(length: number): SourceRecord[] {
  return Array.from({ length }, (_, index) =>
    sourceRecord("003", index + 1, {
      LastName: "Link",
      Phone: `030 ${100_000 + Math.floor(index / 2)}`,
      Email: `${Math.floor((index + 1) / 2)}@example.com`,
    }),
  );
}

test("what was merged stays merged when too many new records match it, and those come in one by one", async () => {
  const key = await createMigration(["Contact"]);
  const choices = contacts({ rules: [...BY_EMAIL.rules, { match: [{ fields: ["phone"] }] }] });
  const first = await runMigration(key, new ScriptedSource({ Contact: chainOf(2) }), choices);
  expect(first.lines.Contact).toMatchObject({ created: 1, updated: 1 });
  const again = await runMigration(key, new ScriptedSource({ Contact: chainOf(203) }), choices);
  expect(again.lines.Contact).toMatchObject({ created: 201, updated: 0, unchanged: 2 });
  expect(Object.keys(await recordsOf("contacts", key.organizationId))).not.toContain(two);
  expect(membersOf(await clustersOf(key, "run"))).toEqual([[one, two]]);
});

test("a record that is here takes what it lacks, and field by field the values that win", async () => {
  const key = await createMigration(["Contact"]);
  const id = await addContact(key.organizationId, "ada@example.com", { last_name: "Byron", title: "Countess" });
  const people = twoPeople().map((person) => ({ ...person, Title: "Mathematician" }));
  const choices = { wins: "ours", fields: { title: "source" } };
  const source = new ScriptedSource({ Contact: people });
  const finished = await runMigration(key, source, contacts(choices));
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Contact: { created: 1, updated: 2, unchanged: 0 } },
  });
  const here = (await contactsHere(key.organizationId)).find((record) => record.id === id);
  expect(here).toMatchObject({
    ext_id: null,
    last_name: "Byron",
    title: "Mathematician",
    phone: "030 1",
    email_opt_out: true,
    version: 2,
    custom_fields: { Region__c: "North" },
  });
  const { rows } = await pool().query("SELECT ext_id FROM ext_aliases WHERE record_id = $1 ORDER BY ext_id", [id]);
  expect(rows).toEqual([{ ext_id: one }, { ext_id: three }]);
  expect(membersOf(await clustersOf(key, "run"))).toEqual([[id, one, three]]);
  const again = await runMigration(key, source, contacts(choices));
  expect(again.lines.Contact).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
});

test("with skip, duplicates are left out with their reason and lead to the record that stays as it is", async () => {
  const key = await createMigration(["Contact", "Case"]);
  const id = await addContact(key.organizationId, "grace@example.com");
  const before = await contactsHere(key.organizationId);
  const source = new ScriptedSource({
    Contact: twoPeople(),
    Case: [sourceRecord("500", 1, { Subject: "S", ContactId: two }), sourceRecord("500", 2, { ContactId: three })],
  });
  const finished = await runMigration(key, source, contacts({ action: "skip" }));
  expect(finished).toMatchObject({ status: "completed", lines: { Contact: { created: 1, skipped: 2 } } });
  expect(await issuesOf(key)).toMatchObject({
    [two]: { outcome: "skipped", code: "duplicate", value: id },
    [three]: { outcome: "skipped", code: "duplicate", value: one },
  });
  const here = await contactsHere(key.organizationId);
  expect(here.filter((record) => record.id === id)).toEqual(before);
  const stays = (await recordsOf("contacts", key.organizationId))[one];
  expect(stays).toMatchObject({ last_name: "Lovelace", phone: null, email_opt_out: false });
  const cases = await recordsOf("cases", key.organizationId);
  expect(cases[sourceId("500", 1)]).toMatchObject({ contact_id: id });
  expect(cases[sourceId("500", 2)]).toMatchObject({ contact_id: stays?.id });
});

test("with create, all are imported and the duplicates are listed", async () => {
  const key = await createMigration(["Contact"]);
  const finished = await runMigration(
    key,
    new ScriptedSource({ Contact: twoPeople() }),
    contacts({ action: "create" }),
  );
  expect(finished.lines.Contact).toMatchObject({ created: 3 });
  const clusters = await clustersOf(key, "run");
  expect(membersOf(clusters)).toEqual([[one, three]]);
  expect(clusters[0]).toMatchObject({ action: "create" });
});

const account = (number: number) => sourceId("001", number);

test("references to a merged record lead to the one that stays, those of its own kind too", async () => {
  const key = await createMigration(["Account", "Contact", "Case", "CaseComment", "Task"]);
  const source = new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: "Acme", Website: "https://www.acme.example", ParentId: account(2) }),
      sourceRecord("001", 2, { Name: "ACME Inc.", Website: "acme.example/de", ParentId: null }),
      sourceRecord("001", 3, { Name: "Child", Website: null, ParentId: account(2) }),
    ],
    Contact: twoPeople().map((person) => ({ ...person, AccountId: account(2), ReportsToId: three })),
    Case: [
      sourceRecord("500", 1, { Subject: "S", ContactId: three, AccountId: account(2) }),
      sourceRecord("500", 2, { Subject: "s", ContactId: one, AccountId: account(1) }),
    ],
    CaseComment: [sourceRecord("00a", 1, { ParentId: sourceId("500", 2), CommentBody: "C" })],
    Task: [sourceRecord("00T", 1, { Subject: "T", WhoId: three, WhatId: sourceId("a00", 1), AccountId: account(2) })],
  });
  const objects = {
    Account: { duplicates: { rules: [{ match: [{ fields: ["website"] }] }] } },
    Contact: { duplicates: BY_EMAIL },
    Case: { duplicates: { rules: [{ match: [{ fields: ["subject"] }, { fields: ["contact_id"] }] }] } },
  };
  const options = { configuration: { objects } as never };
  const finished = await runMigration(key, source, options);
  expect(finished).toMatchObject({ status: "completed" });
  const accounts = await recordsOf("accounts", key.organizationId);
  const [acme, child] = [accounts[account(1)], accounts[account(3)]];
  expect(Object.keys(accounts)).toHaveLength(2);
  expect(acme).toMatchObject({ parent_account_id: null });
  expect(child).toMatchObject({ parent_account_id: acme?.id });
  const people = await recordsOf("contacts", key.organizationId);
  const ada = people[one]?.id;
  expect(people[one]).toMatchObject({ account_id: acme?.id, reports_to_id: null });
  expect(people[two]).toMatchObject({ account_id: acme?.id, reports_to_id: ada });
  const cases = await recordsOf("cases", key.organizationId);
  expect(Object.keys(cases)).toEqual([sourceId("500", 1)]);
  const [supportCase] = Object.values(cases);
  expect(supportCase).toMatchObject({ account_id: acme?.id, contact_id: ada });
  const comments = await recordsOf("case_comments", key.organizationId);
  expect(comments[sourceId("00a", 1)]).toMatchObject({ case_id: supportCase?.id });
  const tasks = await recordsOf("activities", key.organizationId);
  expect(tasks[sourceId("00T", 1)]).toMatchObject({ account_id: acme?.id, contact_id: ada });
  const again = await runMigration(key, source, options);
  for (const line of Object.values(again.lines)) expect(line).toMatchObject({ created: 0, updated: 0 });
});

test("a record that disappears while its cluster is found is left out, and the others are merged", async () => {
  const key = await createMigration(["Contact"]);
  const people = [
    ...twoPeople(),
    sourceRecord("003", 4, { LastName: "Ada", Email: "ada@example.com", Phone: "040 4" }),
  ];
  const source = new ScriptedSource({ Contact: people });
  source.beforeQuery = (soql) => {
    // The first page of the import, which selects more than the search.
    if (soql.includes("OwnerId") || soql.includes("Region__c"))
      Object.assign(people[0] ?? {}, { IsDeleted: true, SystemModstamp: "2026-06-01T12:30:00.000+0000" });
  };
  const finished = await runMigration(key, source, contacts({}));
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Contact: { source: 4, created: 2, updated: 1, skipped: 1 } },
  });
  const here = await recordsOf("contacts", key.organizationId);
  expect(Object.keys(here).toSorted()).toEqual([two, three]);
  expect(here[three]).toMatchObject({ last_name: "King-Noel Lovelace", phone: "030 1" });
});

test("a merged record that somebody deletes here is not imported again, nor are its duplicates", async () => {
  const key = await createMigration(["Contact"]);
  const source = new ScriptedSource({ Contact: twoPeople() });
  await runMigration(key, source, contacts({}));
  const stays = (await recordsOf("contacts", key.organizationId))[one];
  await pool().query(
    `WITH aliases AS (DELETE FROM ext_aliases WHERE record_id = $2 RETURNING ext_id),
       gone AS (DELETE FROM contacts WHERE organization_id = $1 AND id = $2 RETURNING *)
     INSERT INTO deleted_records (organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id,
       is_part, record, cleared, aliases)
     SELECT $1, gone.id, 'contacts', gone.id, gone.ext_id, now(), gone.id, false, to_jsonb(gone), '[]',
       ARRAY(SELECT ext_id FROM aliases) FROM gone`,
    [key.organizationId, stays?.id],
  );
  const again = await runMigration(key, source, contacts({}));
  expect(again.lines.Contact).toMatchObject({ created: 0, updated: 0, unchanged: 1, skipped: 2 });
  expect(await issuesOf(key)).toMatchObject({ [one]: { code: "deleted_here" }, [three]: { code: "deleted_here" } });
});
