import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { createOperation, updateOperation } from "@/lib/records/operations";
import { add, change, delta, imported, source as deltaSource } from "@/tests/migration/support/delta";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { dump, keptOf, undo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

const BY_EMAIL = { rules: [{ match: [{ fields: ["email"] }] }] };
const BY_WEBSITE = { rules: [{ match: [{ fields: ["website"] }] }] };

const account = (number: number) => sourceId("001", number);
const contact = (number: number) => sourceId("003", number);

const ada = (number: number, more: object = {}) =>
  sourceRecord("003", number, { LastName: "Ada", Email: "ada@example.com", ...more });

const contacts = (more: object = {}) => ({
  configuration: { objects: { Contact: { duplicates: BY_EMAIL } }, ...more } as never,
});

test.each([false, true])(
  "the undo of a merge gives a record back as it was, without aliases (events: %s)",
  async (send_events) => {
    const key = await createMigration(["Contact"]);
    const context = await createContext({ organizationId: key.organizationId });
    const fields = { last_name: "Byron", email: "ada@example.com" };
    const { id } = await run(createOperation("contacts"), context, fields);
    const without = ["version", "updated_at", "imported_version"];
    const { events: _, ...before } = await dump(key.organizationId, without);
    const source = new ScriptedSource({ Contact: [ada(1, { Phone: "1" }), ada(2, { Title: "Countess" })] });
    const finished = await runMigration(key, source, contacts({ send_events }));
    expect(finished).toMatchObject({ status: "completed", lines: { Contact: { created: 0, updated: 2, failed: 0 } } });
    const { rows } = await pool().query("SELECT last_name, phone, title, migration_id FROM contacts WHERE id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ last_name: "Ada", phone: "1", title: "Countess", migration_id: null }]);
    const emitted = await pool().query(
      "SELECT previous FROM events WHERE organization_id = $1 AND record_id = $2 AND type = 'contact.updated'",
      [key.organizationId, id],
    );
    expect(emitted.rows).toMatchObject(send_events ? [{ previous: { last_name: "Byron", phone: null } }] : []);
    await undo(context, key);
    expect(await keptOf(context, key)).toEqual({});
    const { events: __, ...after } = await dump(key.organizationId, without);
    expect(after).toEqual(before);
  },
);

test("the undo of a migration that merged its own records takes them and their aliases", async () => {
  const key = await createMigration(["Contact"]);
  const context = await createContext({ organizationId: key.organizationId });
  const before = await dump(key.organizationId);
  await runMigration(key, new ScriptedSource({ Contact: [ada(1), ada(2)] }), contacts());
  await undo(context, key);
  expect(await dump(key.organizationId)).toEqual(before);
});

test("a record that waits for another is linked to the one that this was merged into", async () => {
  const key = await createMigration(["Case"]);
  const { organizationId } = key;
  const context = await createContext({ organizationId });
  const here = await run(createOperation("contacts"), context, { last_name: "Byron", email: "ada@example.com" });
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "S", ContactId: contact(1) })],
    Contact: [ada(1, { AccountId: account(1) }), ada(2)],
    Account: [sourceRecord("001", 1, { Name: "Acme" })],
  });
  await runMigration(key, source);
  expect((await recordsOf("cases", organizationId))[sourceId("500", 1)]).toMatchObject({ contact_id: null });
  const people = await createMigration(["Contact"], undefined, organizationId);
  await runMigration(people, source, contacts());
  expect((await recordsOf("cases", organizationId))[sourceId("500", 1)]).toMatchObject({ contact_id: here.id });
  // What was merged into a record of ours waits too.
  await runMigration(await createMigration(["Account"], undefined, organizationId), source);
  const { rows } = await pool().query("SELECT account_id, custom_fields FROM contacts WHERE id = $1", [here.id]);
  const acme = (await recordsOf("accounts", organizationId))[account(1)];
  expect(rows).toEqual([{ account_id: acme?.id, custom_fields: {} }]);
});

test("with leave_out, a duplicate whose parent comes later joins its cluster, and brings its children", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId } = key;
  const Account = [
    sourceRecord("001", 1, { Name: "Acme", Website: "acme.example", ParentId: null, Phone: null }),
    sourceRecord("001", 2, { Name: "Child", Website: null, ParentId: account(3), Phone: null }),
    sourceRecord("001", 3, { Name: "ACME", Website: "www.acme.example", ParentId: account(5), Phone: "3" }),
    sourceRecord("001", 4, { Name: "Acme!", Website: "acme.example", ParentId: account(9), Phone: "4" }),
    sourceRecord("001", 5, { Name: "Holding", Website: null, ParentId: null, Phone: null }),
  ];
  const configuration = {
    objects: { Account: { duplicates: BY_WEBSITE, relationships: { ParentId: "leave_out" } } },
  } as never;
  const source = new ScriptedSource({ Account });
  const finished = await runMigration(key, source, { configuration });
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 5, created: 3, updated: 1, unchanged: 0, skipped: 1, failed: 0 } },
  });
  expect(await issuesOf(key)).toMatchObject({ [account(4)]: { code: "parent_not_here", value: account(9) } });
  const here = await recordsOf("accounts", organizationId);
  expect(Object.keys(here).toSorted()).toEqual([account(1), account(2), account(5)]);
  const [acme, holding] = [here[account(1)], here[account(5)]];
  expect(acme).toMatchObject({ name: "Acme", phone: "3", parent_account_id: holding?.id });
  expect(here[account(2)]).toMatchObject({ parent_account_id: acme?.id });
  const again = await runMigration(key, source, { configuration });
  expect(again.lines).toMatchObject({ Account: { created: 0, updated: 0, unchanged: 4, skipped: 1 } });
});

test("records whose merge the database refuses have failed with the reason, and others are stored", async () => {
  const key = await createMigration(["Contact"]);
  const context = await createContext({ organizationId: key.organizationId });
  const here = await run(createOperation("contacts"), context, { last_name: "Byron", email: "ada@example.com" });
  await pool().query(
    `CREATE FUNCTION refuse_merge() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE check_violation USING MESSAGE = 'refused by a test'; END $$;
     CREATE TRIGGER refuse_merge BEFORE UPDATE ON contacts FOR EACH ROW
       WHEN (OLD.id = '${here.id}') EXECUTE FUNCTION refuse_merge()`,
  );
  try {
    const other = sourceRecord("003", 3, { LastName: "Hopper", Email: "grace@example.com" });
    const source = new ScriptedSource({ Contact: [ada(1), ada(2), other] });
    const finished = await runMigration(key, source, contacts());
    expect(finished).toMatchObject({
      status: "completed_with_errors",
      lines: { Contact: { source: 3, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 2 } },
    });
    const issues = await issuesOf(key);
    expect(issues[contact(1)]).toMatchObject({ outcome: "failed", code: "not_storable" });
    expect(String(issues[contact(1)]?.reason)).toContain("refused by a test");
    expect(issues[contact(2)]).toMatchObject({ outcome: "failed", code: "not_storable" });
    const { rows } = await pool().query("SELECT FROM ext_aliases WHERE organization_id = $1", [key.organizationId]);
    expect(rows).toEqual([]);
  } finally {
    await pool().query("DROP FUNCTION refuse_merge CASCADE");
  }
});

test("a record never becomes its own parent, where its parent is merged with it into a record here", async () => {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  const { id } = await run(createOperation("accounts"), context, { name: "Acme", website: "acme.example" });
  const Account = [
    sourceRecord("001", 1, { Name: "ACME", Website: "acme.example", ParentId: account(2) }),
    sourceRecord("001", 2, { Name: "Acme AG", Website: "www.acme.example", ParentId: account(1) }),
  ];
  const configuration = { objects: { Account: { duplicates: BY_WEBSITE } } } as never;
  for (const updated of [2, 0]) {
    const { lines } = await runMigration(key, new ScriptedSource({ Account }), { configuration });
    expect(lines).toMatchObject({ Account: { source: 2, created: 0, updated, unchanged: 2 - updated } });
    const { rows } = await pool().query("SELECT parent_account_id, custom_fields FROM accounts WHERE id = $1", [id]);
    expect(rows).toEqual([{ parent_account_id: null, custom_fields: {} }]);
  }
});

test("a merged record that somebody edits here stays so, if ours wins, and leads to the reason of each", async () => {
  const key = await createMigration(["Contact"]);
  const context = await createContext({ organizationId: key.organizationId });
  const grace = (number: number) => ({ ...ada(number), Email: "grace@example.com" });
  const here = await run(createOperation("contacts"), context, { last_name: "Hopper", email: "grace@example.com" });
  const source = new ScriptedSource({ Contact: [ada(1), ada(2), grace(3), grace(4)] });
  await runMigration(key, source, contacts());
  const own = (await recordsOf("contacts", key.organizationId))[contact(1)];
  for (const id of [here.id, own?.id]) await run(updateOperation("contacts"), context, { id, title: "Ours" });
  for (const record of source.records.Contact ?? []) Object.assign(record, { Title: "Theirs" });
  for (const repeat of ["ours_wins", "decide"] as const) {
    const { lines } = await runMigration(key, source, contacts({ repeat }));
    expect(lines.Contact).toMatchObject({ source: 4, created: 0, updated: 0, unchanged: 0, skipped: 4, failed: 0 });
    expect(await issuesOf(key)).toMatchObject({
      [contact(1)]: { code: repeat === "decide" ? "undecided" : "edited_here" },
      [contact(2)]: { code: "duplicate", value: contact(1), reason: expect.stringContaining("edited here") },
      [contact(3)]: { code: "duplicate", value: here.id },
      [contact(4)]: { code: "duplicate", value: here.id },
    });
  }
  const titles = () => pool().query("SELECT title FROM contacts WHERE organization_id = $1", [key.organizationId]);
  expect((await titles()).rows).toEqual([{ title: "Ours" }, { title: "Ours" }]);
  const { lines } = await runMigration(key, source, contacts());
  expect(lines.Contact).toMatchObject({ updated: 4, skipped: 0 });
  expect((await titles()).rows).toEqual([{ title: "Theirs" }, { title: "Theirs" }]);
});

const numbered = (number: number) => ada(number, { LastName: `Ada ${number}`, Phone: `${number}`, Title: null });

test.each([false, true])("a delta merges a whole cluster, a record before it changed too: %s", async (isChanged) => {
  const org = deltaSource();
  const other = sourceRecord("003", 1, { LastName: "Grace", Email: "grace@example.com", Title: null });
  org.records.Contact = [other, numbered(5), numbered(9)];
  const key = await imported(org, ["Contact"], contacts());
  if (isChanged) change(org, "Contact", 0, { LastName: "Hopper" });
  change(org, "Contact", 2, { Title: "Countess" });
  add(org, "Contact", { ...numbered(7), Department: "Analysis" });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Contact: { created: 0, failed: 0 } } });
  const here = await recordsOf("contacts", key.organizationId);
  expect(Object.keys(here).toSorted()).toEqual([contact(1), contact(5)]);
  expect(here[contact(5)]).toMatchObject({ last_name: "Ada 5", phone: "5", title: "Countess" });
});
