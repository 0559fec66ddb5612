import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { env } from "@/lib/env";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query, type SourceRecord } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { apiOf, copied, COPY } from "@/tests/migration/support/copied-files";
import { createMigration, finishedOf, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startDelta, startRetry } from "@/tests/migration/support/within";

let org: RunningOrg;
let client: SalesforceClient;
let accounts: string[];

beforeAll(async () => {
  env.DATA_DIR = mkdtempSync(join(tmpdir(), "files-"));
  org = await startSandboxOrg({ records: 300, seed: 3 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  accounts = await idsOf("Account");
});
afterAll(async () => {
  rmSync(env.DATA_DIR, { recursive: true });
  await org.stop();
});

const ask = async (soql: string): Promise<SourceRecord[]> => (await query(client, soql, { all: true })).records;

const idsOf = async (from: string) =>
  (await ask(`SELECT Id FROM ${from} WHERE IsDeleted = false ORDER BY Id`)).map(({ Id }) => String(Id));

const update = (object: string, id: string, fields: Record<string, string>, silent = false) =>
  org.mutate({ op: "update", object, id, fields, silent });

/** The links of documents to accounts. */
function linksOfAccounts(): Promise<SourceRecord[]> {
  const among = accounts.map((id) => `'${id}'`).join(", ");
  return ask(
    `SELECT Id, LinkedEntityId, ContentDocumentId FROM ContentDocumentLink WHERE LinkedEntityId IN (${among})`,
  );
}

/** The client, and of which records it is asked for files. */
function watched(): { source: SalesforceClient; asked: Set<string> } {
  const asked = new Set<string>();
  const json: SalesforceClient["json"] = (path, schema, options) => {
    const text = decodeURIComponent(`${path}${options?.body ?? ""}`.replaceAll("+", " "));
    for (const [, ids = ""] of text.matchAll(/FROM (?:Attachment|ContentDocumentLink) [^"]*?\b\w+Id IN \((.*?)\)/g))
      for (const [, id = ""] of ids.matchAll(/'(001\w{15})'/g)) asked.add(id);
    return client.json(path, schema, options);
  };
  const source = new Proxy(client, {
    get(target, name) {
      if (name === "json") return json;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { source, asked };
}

/** Goes on with a delta or a retry. Returns of which records files were looked for. */
async function followUp(start: typeof startDelta, key: MigrationKey): Promise<string[]> {
  const { source, asked } = watched();
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
  const [account] = await ask(`SELECT CreatedDate FROM Account WHERE Id = '${failing}'`);
  await update("Account", failing, { CreatedDate: "1900-01-01T00:00:00.000+0000" }, true);
  const key = await createMigration(["Account"]);
  expect(await runMigration(key, client, { configuration: COPY })).toMatchObject({ lines: { Account: { failed: 1 } } });
  const before = await filesOf(key);
  await update("Account", failing, { CreatedDate: String(account?.CreatedDate) }, true);
  expect(await followUp(startRetry, key)).toEqual([failing]);
  expect((await filesOf(key)).length).toBeGreaterThan(before.length);
  expect(await copied(key)).toMatchObject({ unchanged: 0, finished: true });
});

test("a delta copies the files that were added to unchanged records, and looks for those of no others", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, client, { configuration: COPY });
  const before = await filesOf(key);
  expect(await followUp(startDelta, key)).toEqual([]);
  expect(await copied(key)).toMatchObject({ stored: 0, unchanged: 0, finished: true });

  const [attachment = ""] = await idsOf("Attachment");
  const [version] = await ask("SELECT Id, ContentDocumentId FROM ContentVersion ORDER BY Id DESC LIMIT 1");
  const [first = "", second = ""] = accounts;
  const document = String(version?.ContentDocumentId);
  const [link] = await ask(`SELECT Id FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`);
  await update("Attachment", attachment, { ParentId: first });
  await update("ContentDocumentLink", String(link?.Id), { LinkedEntityId: second });
  await update("ContentVersion", String(version?.Id), { Title: "Added" });
  expect(await followUp(startDelta, key)).toEqual([first, second].toSorted());
  expect(await copied(key)).toMatchObject({ stored: 2, unchanged: 0, finished: true });
  expect(await filesOf(key)).toEqual([...before, attachment, String(version?.Id)].toSorted());
});

test("what a run left out stays listed after a delta, until a full run tries it again", async () => {
  const [attachment = ""] = await idsOf("Attachment");
  await update("Attachment", attachment, { ParentId: accounts[0] ?? "" });
  const key = await createMigration(["Account"]);
  await org.setRules([{ preset: "NOT_FOUND", path: `/Attachment/${attachment}/Body` }]);
  await runMigration(key, client, { configuration: COPY });
  await org.setRules([]);
  const leftOut = { failed: 1, left_out: [{ ext_id: attachment }] };
  expect(await copied(key)).toMatchObject(leftOut);
  await followUp(startDelta, key);
  expect(await copied(key)).toMatchObject({ ...leftOut, stored: 0 });
  await runMigration(key, client);
  expect(await copied(key)).toMatchObject({ failed: 0, left_out: [], stored: 1 });
});
