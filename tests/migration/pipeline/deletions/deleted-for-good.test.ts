import { expect, test } from "vitest";

import { restoreOperation } from "@/lib/records/operations";
import { SalesforceError } from "@/lib/salesforce/errors";
import { change, delta, deletedOf, imported, purge, source } from "@/tests/migration/support/delta";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Case", "FeedItem", "FeedComment"];

function post(number: number, fields: object = {}): Record<string, unknown> {
  return sourceRecord("0D5", number, { ParentId: sourceId("500", 1), Body: `Post ${number}`, ...fields });
}

/** An org with three posts, where something happens to the second when all were read, before they are counted again. */
function orgWhereOnce(act: (post: Record<string, unknown>) => void, before: object = {}): ScriptedSource {
  const org = source();
  org.records.FeedItem = [post(1), post(2, before), post(3)];
  let counts = 0;
  org.beforeQuery = (soql) => {
    if (!soql.startsWith("SELECT COUNT() FROM FeedItem")) return;
    counts += 1;
    const [, second] = org.records.FeedItem ?? [];
    if (counts === 2 && second) act(second);
  };
  return org;
}

/** Salesforce names changes by the minute, so those of the present one are not named yet. */
const JUST_NOW = `${new Date(Date.now() - 60_000).toISOString().slice(0, 19)}.000+0000`;

test("a post that is deleted after it was read, and so in no count any more, does not fail the run", async () => {
  const org = orgWhereOnce((post) => Object.assign(post, { IsDeleted: true, SystemModstamp: JUST_NOW }));
  const key = await createMigration(OBJECTS);
  const finished = await runMigration(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { FeedItem: { source: 3, created: 3 } } });
});

test("a post that is restored behind the checkpoint, which no query finds, is stored, too", async () => {
  const org = orgWhereOnce((post) => Object.assign(post, { IsDeleted: false, SystemModstamp: JUST_NOW }), {
    IsDeleted: true,
  });
  const key = await createMigration(OBJECTS);
  const finished = await runMigration(key, org);
  expect(finished).toMatchObject({ status: "completed", lines: { FeedItem: { source: 3, created: 3 } } });
  expect(Object.keys(await recordsOf("case_comments", key.organizationId))).toHaveLength(3);
});

test("a delta deletes what has left the recycle bin, like what is in it, and keeps what exists again", async () => {
  const org = source();
  const accounts = Array.from({ length: 450 }, (_, index) =>
    sourceRecord("001", index + 1, { Name: `Account ${index}` }),
  );
  org.records.Account = accounts;
  const key = await imported(org, ["Account", "Contact"]);
  const [restored, ...others] = accounts;
  for (const account of others) change(org, "Account", accounts.indexOf(account), { IsDeleted: true });
  const purged = accounts.filter((_, index) => index % 3 === 1);
  org.purged.Account = [{ ...others[0], Id: restored?.Id }, ...purged];
  org.records.Account = accounts.filter((account) => !purged.includes(account));
  purge(org, "Contact", 1);
  expect(await delta(key, org)).toMatchObject({ status: "completed", failure: null });
  expect(await deletedOf(key)).toEqual({ Account: 449, Contact: 1 });
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toEqual([restored?.Id]);
  expect(Object.keys(await recordsOf("contacts", key.organizationId))).toEqual([sourceId("003", 1)]);
});

test("what is in the recycle bin since before the window stays as somebody has restored it here", async () => {
  const org = source();
  const key = await imported(org, ["Contact"]);
  const { organizationId } = key;
  const id = (await recordsOf("contacts", organizationId))[sourceId("003", 1)]?.id;
  change(org, "Contact", 0, { IsDeleted: true });
  // The next window begins ten minutes before the end of this one, and the list of deletions an hour before that.
  org.now = new Date(org.now.getTime() + 20 * 60_000);
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  await run(restoreOperation("contacts"), await createContext({ organizationId }), { id });
  // It is not even listed as deleted there and edited here.
  expect((await delta(key, org)).lines).toMatchObject({ Contact: { skipped: 0 } });
  expect(await recordsOf("contacts", organizationId)).toHaveProperty(sourceId("003", 1));
});

test("what a delta has deleted here stays once somebody has restored it, parts included", async () => {
  const org = source();
  const key = await imported(org);
  const { organizationId } = key;
  const context = await createContext({ organizationId });
  const contact = (await recordsOf("contacts", organizationId))[sourceId("003", 1)]?.id;
  const supportCase = (await recordsOf("cases", organizationId))[sourceId("500", 1)]?.id;
  purge(org, "Contact", 0);
  purge(org, "Case", 0);
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({ Contact: 1, Case: 1 });
  await run(restoreOperation("contacts"), context, { id: contact });
  await run(restoreOperation("cases"), context, { id: supportCase });
  // Salesforce may name an entry later than its case.
  purge(org, "CaseComment", 0);
  expect(await delta(key, org)).toMatchObject({ status: "completed", failure: null });
  expect(await deletedOf(key)).toEqual({});
  const { rows } = await pool().query<{ ext_id: string; code: string }>(
    "SELECT ext_id, code FROM migration_record_issues WHERE migration_id = $1 ORDER BY ext_id",
    [key.migrationId],
  );
  const kept = [sourceId("003", 1), sourceId("00a", 1), sourceId("500", 1)];
  expect(rows).toEqual(kept.map((extId) => ({ ext_id: extId, code: "edited_here" })));
});

test("what a delta has deleted here, though Salesforce still names it, is not asked for by the next one", async () => {
  const org = source();
  const key = await imported(org, ["Contact"]);
  purge(org, "Contact", 0);
  const asked: string[] = [];
  org.beforeQuery = (soql) => {
    if (soql.includes(sourceId("003", 1)) && soql.includes("Id IN (")) asked.push(soql);
  };
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  expect(asked).not.toEqual([]);
  asked.length = 0;
  await delta(key, org);
  expect(asked).toEqual([]);
});

test("the list of what Salesforce names as deleted is read once, however many slices the deletions take", async () => {
  const org = source();
  const accounts = Array.from({ length: 450 }, (_, index) => sourceRecord("001", index + 1, { Name: `A ${index}` }));
  org.records.Account = accounts;
  const key = await imported(org, ["Account"]);
  const json = org.json.bind(org);
  let lists = 0;
  org.json = (path, schema, options) => {
    if (path.includes("/Account/deleted?")) lists += 1;
    return json(path, schema, options);
  };
  for (const index of accounts.keys()) change(org, "Account", index, { IsDeleted: true });
  expect(await delta(key, org, 0)).toMatchObject({ status: "completed", failure: null });
  expect(await deletedOf(key)).toEqual({ Account: 450 });
  expect(lists).toBe(1);
});

test.each([
  ["Contact", "INVALID_REPLICATION_DATE", true],
  ["FeedItem", "QUERY_TIMEOUT", false],
] as const)(
  "where Salesforce does not name deleted records of %s (%s), the history asks for a proof",
  async (...row) => {
    const [object, errorCode, hasBin] = row;
    const org = source();
    const key = await imported(org, ["Account", "Contact", "Case", "FeedItem"]);
    const json = org.json.bind(org);
    org.json = async (path, schema, options) => {
      if (!path.includes(`/${object}/deleted?`)) return json(path, schema, options);
      throw new SalesforceError("source_error", `Salesforce answered ${errorCode}`, { status: 400, errorCode });
    };
    change(org, "Contact", 0, { IsDeleted: true });
    expect(await delta(key, org)).toMatchObject({ status: "completed", failure: null });
    // What the recycle bin has is deleted all the same.
    expect(await deletedOf(key)).toEqual({ Contact: 1 });
    // It is told once a day.
    await delta(key, org);
    const { rows } = await pool().query<{ object: string; reason: string; remedy: string }>(
      `SELECT object, details ->> 'reason' AS reason, details ->> 'remedy' AS remedy FROM migration_history
     WHERE migration_id = $1 AND event = 'deletions_unknown'`,
      [key.migrationId],
    );
    const reason = expect.stringContaining(`Salesforce answered ${errorCode}`);
    expect(rows).toEqual([{ object, reason, remedy: expect.stringContaining("Compare") }]);
    expect(rows[0]?.reason.includes("recycle bin")).toBe(hasBin);
  },
);
