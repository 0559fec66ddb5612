import { beforeAll, expect, test, vi } from "vitest";

import { transaction } from "@/lib/database/db";
import { DELETE_BATCH_SIZE } from "@/lib/database/housekeeping";
import { inOrganization } from "@/lib/database/organization-scope";
import { beginCopying, listLeftOut } from "@/lib/migration/pipeline/files/file-progress";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";
import { apiOf, copied, COPY } from "@/tests/migration/support/copied-files";
import { useOrgWithFiles } from "@/tests/migration/support/org-with-files";
import { createMigration, finishedOf, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startDelta, startRetry } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const sandbox = useOrgWithFiles();
let accounts: string[];

beforeAll(async () => {
  accounts = await sandbox.idsOf("Account");
});

/** The links of documents to accounts. */
function linksOfAccounts(): Promise<SourceRecord[]> {
  const among = accounts.map((id) => `'${id}'`).join(", ");
  return sandbox.ask(
    `SELECT Id, LinkedEntityId, ContentDocumentId FROM ContentDocumentLink WHERE LinkedEntityId IN (${among})`,
  );
}

/** The client, and of which records it is asked for files. `onQuery` is called before each query. */
function watched(onQuery: (soql: string) => void): { source: SalesforceClient; asked: Set<string> } {
  const asked = new Set<string>();
  const json: SalesforceClient["json"] = (path, schema, options) => {
    const text = decodeURIComponent(`${path}${options?.body ?? ""}`.replaceAll("+", " "));
    onQuery(text);
    for (const [, ids = ""] of text.matchAll(/FROM (?:Attachment|ContentDocumentLink) [^"]*?\b\w+Id IN \((.*?)\)/g))
      for (const [, id = ""] of ids.matchAll(/'(001\w{15})'/g)) asked.add(id);
    return sandbox.client.json(path, schema, options);
  };
  const source = new Proxy(sandbox.client, {
    get(target, name) {
      if (name === "json") return json;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { source, asked };
}

/** Goes on with a delta or a retry. Returns of which records files were looked for. */
async function followUp(
  start: typeof startDelta,
  key: MigrationKey,
  onQuery: (soql: string) => void = () => undefined,
): Promise<string[]> {
  const { source, asked } = watched(onQuery);
  const run = await transaction((tx) => start(tx, key));
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject({ status: "completed", failure: null });
  return [...asked].toSorted();
}

const filesOf = async ({ organizationId }: MigrationKey) =>
  (await (await apiOf(organizationId)).list()).map(({ ext_id: extId }) => extId).toSorted();

test("a retry copies the files of the records that it brings, and looks for those of no others", async () => {
  const [link] = await linksOfAccounts();
  const failing = String(link?.LinkedEntityId);
  const [account] = await sandbox.ask(`SELECT CreatedDate FROM Account WHERE Id = '${failing}'`);
  await sandbox.update("Account", failing, { CreatedDate: "1900-01-01T00:00:00.000+0000" }, true);
  const key = await createMigration(["Account"]);
  expect(await runMigration(key, sandbox.client, { configuration: COPY })).toMatchObject({
    lines: { Account: { failed: 1 } },
  });
  const before = await filesOf(key);
  await sandbox.update("Account", failing, { CreatedDate: String(account?.CreatedDate) }, true);
  expect(await followUp(startRetry, key)).toEqual([failing]);
  expect((await filesOf(key)).length).toBeGreaterThan(before.length);
  expect(await copied(key)).toMatchObject({ unchanged: 0, finished: true });
});

test("a delta copies the files that were added to unchanged records, and looks for those of no others", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, sandbox.client, { configuration: COPY });
  const before = await filesOf(key);
  expect(await followUp(startDelta, key)).toEqual([]);
  expect(await copied(key)).toMatchObject({ stored: 0, unchanged: 0, finished: true });

  const [attachment = ""] = await sandbox.idsOf("Attachment");
  const [version] = await sandbox.ask("SELECT Id, ContentDocumentId FROM ContentVersion ORDER BY Id DESC LIMIT 1");
  const [first = "", second = ""] = accounts;
  const document = String(version?.ContentDocumentId);
  const [link] = await sandbox.ask(`SELECT Id FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`);
  await sandbox.update("Attachment", attachment, { ParentId: first });
  await sandbox.update("ContentDocumentLink", String(link?.Id), { LinkedEntityId: second });
  await sandbox.update("ContentVersion", String(version?.Id), { Title: "Added" });
  expect(await followUp(startDelta, key)).toEqual([first, second].toSorted());
  expect(await copied(key)).toMatchObject({ stored: 2, unchanged: 0, finished: true });
  expect(await filesOf(key)).toEqual([...before, attachment, String(version?.Id)].toSorted());
});

test("a delta that looks for changed files for ten minutes goes on with the files of all records", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, sandbox.client, { configuration: COPY });
  const [attachment = ""] = await sandbox.idsOf("Attachment");
  await sandbox.update("Attachment", attachment, { ParentId: accounts[0] ?? "" });
  const now = performance.now.bind(performance);
  let late = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + late);
  const asked = await followUp(startDelta, key, (soql) => {
    if (/FROM Attachment .*SystemModstamp >=/.test(soql)) late = 600_000;
  });
  expect(asked).toEqual(accounts.toSorted());
  expect(await copied(key)).toMatchObject({ finished: true });
});

test("what a run left out stays listed after a delta, until a full run tries it again", async () => {
  const [attachment = ""] = await sandbox.idsOf("Attachment");
  await sandbox.update("Attachment", attachment, { ParentId: accounts[0] ?? "" });
  const key = await createMigration(["Account"]);
  await sandbox.org.setRules([{ preset: "NOT_FOUND", path: `/Attachment/${attachment}/Body` }]);
  await runMigration(key, sandbox.client, { configuration: COPY });
  await sandbox.org.setRules([]);
  const leftOut = { failed: 1, left_out: [{ ext_id: attachment }] };
  expect(await copied(key)).toMatchObject(leftOut);
  await followUp(startDelta, key);
  expect(await copied(key)).toMatchObject({ ...leftOut, stored: 0 });
  await runMigration(key, sandbox.client);
  expect(await copied(key)).toMatchObject({ failed: 0, left_out: [], stored: 1 });
});

test.each([
  ["", 1, "UPDATE migration_files SET left_out = '[]' WHERE migration_id = $1"],
  [", or by a release without keys", 2, "DELETE FROM migration_left_out_files WHERE migration_id = $1"],
])("what a run left out, among a hundred others%s, is not counted again by a delta", async (_, next, remember) => {
  const attachments = await sandbox.idsOf("Attachment");
  const [attachment = "", added = ""] = [attachments[0], attachments[next]];
  const [account = ""] = accounts;
  await sandbox.update("Attachment", attachment, { ParentId: account });
  const key = await createMigration(["Account"]);
  await sandbox.org.setRules([{ preset: "NOT_FOUND", path: `/Attachment/${attachment}/Body` }]);
  await runMigration(key, sandbox.client, { configuration: COPY });
  await pool().query(remember, [key.migrationId]);
  await sandbox.update("Attachment", added, { ParentId: account });
  expect(await followUp(startDelta, key)).toContain(account);
  expect(await copied(key)).toMatchObject({ stored: 1, failed: 1 });
  await sandbox.org.setRules([]);
  await runMigration(key, sandbox.client);
  expect(await copied(key)).toMatchObject({ stored: 1, failed: 0, left_out: [] });
});

/** A migration whose first run has left out a file of an account. */
async function leaveOut() {
  const [attachment = "", added = ""] = await sandbox.idsOf("Attachment");
  for (const id of [attachment, added]) await sandbox.update("Attachment", id, { ParentId: accounts[0] ?? "" });
  const key = await createMigration(["Account"]);
  await sandbox.org.setRules([{ preset: "NOT_FOUND", path: `/Attachment/${attachment}/Body` }]);
  await runMigration(key, sandbox.client, { configuration: COPY });
  expect(await copied(key)).toMatchObject({ failed: 1 });
  return { key, attachment, added };
}

test("what a full run had forgotten when its worker died is counted once by the delta after it", async () => {
  const { key, added } = await leaveOut();
  await pool().query("UPDATE migration_files SET left_out = '[]' WHERE migration_id = $1", [key.migrationId]);
  await pool().query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
    CREATE TRIGGER die BEFORE UPDATE OF run_number ON migration_files FOR EACH ROW EXECUTE FUNCTION die()`);
  const begun = inOrganization(key.organizationId, () => beginCopying({ ...key, runNumber: 2 }, true));
  await expect(begun).rejects.toThrow("died");
  await pool().query("DROP FUNCTION die() CASCADE");
  await sandbox.update("Attachment", added, { Name: "changed.txt" });
  await followUp(startDelta, key);
  expect(await copied(key)).toMatchObject({ failed: 1 });
  await sandbox.org.setRules([]);
});

test("after a worker died while others of very many files were forgotten, a delta counts all of them", async () => {
  const { key, added } = await leaveOut();
  await pool().query(
    `INSERT INTO migration_left_out_files (organization_id, migration_id, file)
     SELECT $1, $2, lpad(number::text, 6, '0') FROM generate_series(1, ${DELETE_BATCH_SIZE}) AS number`,
    [key.organizationId, key.migrationId],
  );
  // These are before the source id of the file in the order of keys.
  await pool().query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
    CREATE TRIGGER die BEFORE DELETE ON migration_left_out_files FOR EACH ROW WHEN (OLD.file LIKE '%.%')
      EXECUTE FUNCTION die()`);
  const begun = inOrganization(key.organizationId, () => beginCopying({ ...key, runNumber: 2 }, true));
  await expect(begun).rejects.toThrow("died");
  await pool().query("DROP FUNCTION die() CASCADE");
  expect(await copied(key)).toMatchObject({ failed: 0 });
  await sandbox.update("Attachment", added, { Name: "changed.txt" });
  await followUp(startDelta, key);
  expect(await copied(key)).toMatchObject({ failed: 1 });
  await sandbox.org.setRules([]);
});

test("a run that a release without keys has begun takes over what that has listed as left out", async () => {
  const { key, attachment } = await leaveOut();
  await pool().query("DELETE FROM migration_left_out_files WHERE migration_id = $1", [key.migrationId]);
  const run = { ...key, runNumber: 1 };
  const file = `${attachment}.${accounts[0]}`;
  const found = inOrganization(key.organizationId, async () => {
    await beginCopying(run, false);
    return listLeftOut(run, [file]);
  });
  expect([...(await found)]).toEqual([file]);
  await sandbox.org.setRules([]);
});
