import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import {
  account,
  conflictOf,
  conflictsOf,
  decide,
  edit,
  editedOnBothSides,
  FIRST,
  rerun,
  SECOND,
  THIRD,
} from "@/tests/migration/support/conflicts";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { keptOf, undo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import {
  createOperation,
  deleteOperation,
  listOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";

beforeEach(() => registerJobSender(async () => undefined));

/** The kept images of a migration by record, without the time of the change. */
async function imagesOf(migrationId: string) {
  const { rows } = await pool().query(
    `SELECT resource, record_id, version, before, aliases FROM migration_changes WHERE migration_id = $1`,
    [migrationId],
  );
  return Object.fromEntries(rows.map(({ record_id, ...image }) => [record_id, image]));
}

/** An organization with two migrations of the same source, of which the first has run. */
async function imported(Account = [sourceRecord("001", 1, { Name: "One" }), sourceRecord("001", 2, { Name: "Two" })]) {
  const first = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account });
  await runMigration(first, source);
  const second = await createMigration(["Account"], undefined, first.organizationId);
  const context = await createContext({ organizationId: first.organizationId });
  return { first, second, source, context, organizationId: first.organizationId };
}

test("a created record knows its migration and version; a first import keeps no images", async () => {
  const { first, organizationId } = await imported();
  const accounts = await recordsOf("accounts", organizationId);
  expect(Object.values(accounts).map(({ migration_id, imported_version }) => [migration_id, imported_version])).toEqual(
    [
      [first.migrationId, 1],
      [first.migrationId, 1],
    ],
  );
  expect(await imagesOf(first.migrationId)).toEqual({});
});

test("another migration that changes a record keeps its creator, and the row as it was, only once", async () => {
  const { first, second, source, organizationId } = await imported();
  const before = (await recordsOf("accounts", organizationId))[FIRST];
  Object.assign(source.records.Account?.[0] ?? {}, { Name: "One changed" });
  await runMigration(second, source);
  Object.assign(source.records.Account?.[0] ?? {}, { Name: "One changed again" });
  await runMigration(second, source);
  const accounts = await recordsOf("accounts", organizationId);
  expect(accounts[FIRST]).toMatchObject({ migration_id: first.migrationId, version: 3, imported_version: 3 });
  expect(accounts[SECOND]).toMatchObject({ migration_id: first.migrationId, version: 1, imported_version: 1 });
  expect(await imagesOf(second.migrationId)).toEqual({
    [String(before?.id)]: { resource: "accounts", version: 3, before, aliases: [] },
  });
  // What the creator changes after another migration is a change that this one did not make.
  Object.assign(source.records.Account?.[0] ?? {}, { Name: "One, by its creator" });
  await runMigration(first, source);
  expect(await imagesOf(first.migrationId)).toMatchObject({ [String(before?.id)]: { before: accounts[FIRST] } });
});

test("an edit shows, and does not move the provenance; what follows from a deletion is no edit", async () => {
  const { first, context, organizationId } = await imported([
    sourceRecord("001", 1, { Name: "Parent" }),
    sourceRecord("001", 2, { Name: "Child", ParentId: sourceId("001", 1) }),
  ]);
  const provenance = async () => {
    const { [FIRST]: parent, [SECOND]: child } = await recordsOf("accounts", organizationId);
    return [parent, child].map(
      (row) => row && [row.migration_id === first.migrationId, row.version, row.imported_version],
    );
  };
  const { [FIRST]: parent } = await recordsOf("accounts", organizationId);
  await run(deleteOperation("accounts"), context, { id: parent?.id });
  expect(await provenance()).toEqual([undefined, [true, 3, 3]]);
  await run(restoreOperation("accounts"), context, { id: parent?.id });
  expect(await provenance()).toEqual([
    [true, 2, 2],
    [true, 4, 4],
  ]);
  await run(updateOperation("accounts"), context, { id: parent?.id, name: "Edited" });
  await run(deleteOperation("accounts"), context, { id: parent?.id });
  await run(restoreOperation("accounts"), context, { id: parent?.id });
  expect(await provenance()).toEqual([
    [true, 4, 2],
    [true, 6, 6],
  ]);
});

test("records that people make have no provenance, and no answer shows it", async () => {
  const { context, organizationId } = await imported();
  const made = await run(createOperation("accounts"), context, { ...NEEDED.accounts, ext_id: "own" });
  expect((await recordsOf("accounts", organizationId)).own).toMatchObject({
    migration_id: null,
    imported_version: null,
  });
  const page = await run(listOperation("accounts"), context, {});
  for (const text of [made, page]) expect(JSON.stringify(text)).not.toMatch(/imported_version|migration_id/);
});

test("links to records that came later keep an image of a foreign record, whose version stays", async () => {
  const child = sourceRecord("001", 2, { Name: "Child", ParentId: FIRST });
  const { second, source, organizationId } = await imported([child]);
  const before = (await recordsOf("accounts", organizationId))[SECOND];
  source.records.Account?.push(sourceRecord("001", 1, { Name: "Parent" }));
  // The child is unchanged in the source: only the link is new.
  await runMigration(second, source);
  const { [FIRST]: parent, [SECOND]: linked } = await recordsOf("accounts", organizationId);
  expect(linked).toMatchObject({ parent_account_id: parent?.id });
  expect(await imagesOf(second.migrationId)).toMatchObject({
    [String(before?.id)]: { before, version: linked?.version },
  });
});

test("an undo brings back what somebody kept, and deletes what was taken whole from the source", async () => {
  const other = await editedOnBothSides();
  const { organizationId } = other.key;
  const second = { ...other, key: await createMigration(["Account"], undefined, organizationId) };
  const before = await recordsOf("accounts", organizationId);
  await rerun(second, "decide");
  const open = await conflictOf(second, FIRST);
  await decide(second, { ids: [open?.id], take: "ours", fields: { name: "source" } });
  await decide(second, { ids: [(await conflictOf(second, SECOND))?.id], take: "source" });
  await undo(other.context, second.key);
  expect(await keptOf(other.context, second.key)).toEqual({});
  const after = await recordsOf("accounts", organizationId);
  for (const extId of [FIRST, SECOND, THIRD]) {
    const { version, updated_at, imported_version, ...row } = before[extId] ?? {};
    expect([version, updated_at, imported_version]).toHaveLength(3);
    expect(after[extId]).toMatchObject(row);
  }
  expect(await conflictsOf(second)).toEqual([]);
});

test("an undo keeps what was edited after the migration changed it, though fields were taken since", async () => {
  const other = await editedOnBothSides();
  const second = { ...other, key: await createMigration(["Account"], undefined, other.key.organizationId) };
  await rerun(second, "source_wins");
  await edit(other.context, other.ids[FIRST], { name: "Edited later", phone: "9" });
  await rerun(second, "decide");
  await decide(second, { ids: [(await conflictOf(second, FIRST))?.id], take: "ours", fields: { phone: "source" } });
  await undo(other.context, second.key);
  expect(await keptOf(other.context, second.key)).toEqual({ [other.ids[FIRST] ?? ""]: ["edited_here", null] });
  expect((await recordsOf("accounts", other.key.organizationId))[FIRST]).toMatchObject({ name: "Edited later" });
});

const contact = (LastName: string) => sourceRecord("003", 1, { LastName, AccountId: FIRST });

test("a link that a migration makes in a record which somebody edited leaves it edited for an undo", async () => {
  const first = await createMigration(["Account", "Contact"]);
  const { organizationId } = first;
  const context = await createContext({ organizationId });
  await runMigration(first, new ScriptedSource({ Account: [], Contact: [contact("One")] }));
  const second = await createMigration(["Account", "Contact"], undefined, organizationId);
  await runMigration(second, new ScriptedSource({ Account: [], Contact: [contact("Two")] }));
  const stored = async () => (await recordsOf("contacts", organizationId))[sourceId("003", 1)];
  await run(updateOperation("contacts"), context, { id: (await stored())?.id, title: "Head" });
  await runMigration(second, new ScriptedSource({ Account: [account(1)], Contact: [contact("Two")] }), {
    configuration: { repeat: "ours_wins" },
  });
  const linked = await stored();
  expect(linked).toMatchObject({ title: "Head", last_name: "Two" });
  expect(linked?.account_id).not.toBeNull();
  await undo(context, second);
  expect(await keptOf(context, second)).toMatchObject({ [String(linked?.id)]: ["edited_here", null] });
  expect(await stored()).toMatchObject({ title: "Head", last_name: "Two" });
});
