import { beforeEach, expect, test } from "vitest";

import { purgeFilesOf } from "@/lib/files/purge-files";
import { registerJobSender } from "@/lib/jobs";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";
import { execute, valueOf } from "@/lib/operation";
import { createOperation } from "@/lib/records/operations";
import { purgeDeleted } from "@/lib/records/purge";
import { change, delta, source, two } from "@/tests/migration/support/delta";
import { recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { sourceId } from "@/tests/migration/support/scripted-source";
import { undo } from "@/tests/migration/support/undo";
import { ageDeletions } from "@/tests/support/age-deletions";
import { createContext } from "@/tests/support/factories";

beforeEach(() => registerJobSender(async () => undefined));

const CASE = sourceId("500", 1);

test("what a migration deleted and imported anew belongs again to whom it did before", async () => {
  const org = source();
  const { first, second } = await two(org);
  const { organizationId } = first;
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  const before = await recordsOf("cases", organizationId);
  const thread = Object.keys(await recordsOf("case_comments", organizationId));
  for (const IsDeleted of [true, false]) {
    change(org, "Case", 0, { IsDeleted });
    await delta(second, org);
  }
  expect((await recordsOf("cases", organizationId))[CASE]).toMatchObject({ migration_id: second.migrationId });
  const context = await createContext({ organizationId });
  const impact = valueOf(await execute(getUndoImpact, context, { migration_id: second.migrationId }));
  expect(impact.resources.find(({ resource }) => resource === "cases")).toMatchObject({ delete: 0, restore: 1 });
  await undo(context, second);
  const after = await recordsOf("cases", organizationId);
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
  expect(after[CASE]).toMatchObject({ id: before[CASE]?.id, migration_id: first.migrationId });
  expect(Object.keys(await recordsOf("case_comments", organizationId)).toSorted()).toEqual(thread.toSorted());
});

/**
 * An account that a second migration deleted so many days ago, because the source did, and what pointed at it: a
 * contact of the first migration and an activity that somebody made.
 */
async function deletedAccount(days: number) {
  const org = source();
  const { first, second } = await two(org);
  const { organizationId } = first;
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  const context = await createContext({ organizationId });
  const account = async () => (await recordsOf("accounts", organizationId))[sourceId("001", 1)];
  const { id, version } = (await account()) ?? {};
  await execute(createOperation("activities"), context, { type: "task", subject: "Call", account_id: id });
  const links = async () => {
    const [contacts, activities] = [
      await recordsOf("contacts", organizationId),
      await recordsOf("activities", organizationId),
    ];
    return [contacts[sourceId("003", 1)], ...Object.values(activities)].map((record) => record?.account_id);
  };
  change(org, "Account", 0, { IsDeleted: true });
  await delta(second, org);
  expect(await links()).toEqual([null, null]);
  await ageDeletions(organizationId, days);
  await purgeDeleted(purgeFilesOf);
  return { org, first, second, context, account, links, id, version: Number(version) };
}

test.each([0, 31])("links to a record that a migration deleted %d days ago lead to it again", async (days) => {
  const { second, context, links, id } = await deletedAccount(days);
  await undo(context, second);
  expect(await links()).toEqual([id, id]);
});

test.each([0, 31])(
  "so they do when it was imported anew %d days after that, and stay through an undo",
  async (days) => {
    const { org, first, second, context, account, links, id, version } = await deletedAccount(days);
    change(org, "Account", 0, { IsDeleted: false });
    await delta(second, org);
    expect(await links()).toEqual([id, id]);
    expect(Number((await account())?.version)).toBeGreaterThan(version);
    await undo(context, second);
    expect(await links()).toEqual([id, id]);
    expect(await account()).toMatchObject({ id, migration_id: first.migrationId });
  },
);
