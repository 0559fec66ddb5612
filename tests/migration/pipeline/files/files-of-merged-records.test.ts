import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { env } from "@/lib/env";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query, type SourceRecord } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { apiOf, copied, COPY } from "@/tests/migration/support/copied-files";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  env.DATA_DIR = mkdtempSync(join(tmpdir(), "files-"));
  org = await startSandboxOrg({ records: 300, seed: 3 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
});
afterAll(async () => {
  rmSync(env.DATA_DIR, { recursive: true });
  await org.stop();
});

const ask = async (soql: string): Promise<SourceRecord[]> => (await query(client, soql, { all: true })).records;

const idsOf = async (from: string) =>
  (await ask(`SELECT Id FROM ${from} WHERE IsDeleted = false ORDER BY Id`)).map(({ Id }) => String(Id));

async function linkOf(document: string): Promise<string> {
  const [link] = await ask(`SELECT Id FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`);
  return String(link?.Id);
}

const update = (object: string, id: string, fields: Record<string, string>) =>
  org.mutate({ op: "update", object, id, fields });

/** Two contacts of one e-mail address and one of another, each but the first with an attachment. */
async function attachToContacts() {
  const [ofDuplicate = "", ofOurs = ""] = await idsOf("Attachment");
  const [stays = "", duplicate = "", ours = ""] = await idsOf("Contact");
  for (const id of [stays, duplicate]) await update("Contact", id, { Email: "ada@example.com" });
  await update("Contact", ours, { Email: "grace@example.com" });
  await update("Attachment", ofDuplicate, { ParentId: duplicate });
  await update("Attachment", ofOurs, { ParentId: ours });
  return { stays, ofDuplicate, ofOurs };
}

/** An e-mail and its Task with the same document, the Task with an attachment besides. */
async function attachToEmail() {
  const [, , ofTask = ""] = await idsOf("Attachment");
  const [document = "", other = ""] = await idsOf("ContentDocument");
  const [email] = await ask(
    "SELECT Id, ActivityId FROM EmailMessage WHERE ActivityId != null AND Status != '0' AND IsDeleted = false",
  );
  const [emailId, taskId] = [String(email?.Id), String(email?.ActivityId)];
  const second = await linkOf(other);
  await update("Attachment", ofTask, { ParentId: taskId });
  await update("ContentDocumentLink", await linkOf(document), { LinkedEntityId: emailId });
  await update("ContentDocumentLink", second, { LinkedEntityId: taskId, ContentDocumentId: document });
  return { taskId, ofTask };
}

test("files of merged duplicates and of the Tasks of e-mails are copied once, with what these became", async () => {
  const { stays, ofDuplicate, ofOurs } = await attachToContacts();
  const { taskId, ofTask } = await attachToEmail();
  const key = await createMigration();
  const { organizationId } = key;
  const here = await insertRecord("contacts", organizationId, { email: "grace@example.com" });
  const objects = { Contact: { duplicates: { rules: [{ match: [{ fields: ["email"] }] }] } } };
  const configuration = { ...COPY, objects } as never;
  expect(await runMigration(key, client, { configuration })).toMatchObject({ failure: null });
  const files = await (await apiOf(organizationId)).list();
  const owner = (extId: string) => files.find((file) => file.ext_id === extId)?.record_id;
  expect(owner(ofDuplicate)).toBe((await recordsOf("contacts", organizationId))[stays]?.id);
  expect(owner(ofOurs)).toBe(here);
  const { rows } = await pool().query("SELECT record_id FROM ext_aliases WHERE ext_id = $1", [taskId]);
  expect([{ record_id: owner(ofTask) }]).toEqual(rows);
  expect(files.filter((file) => file.record_id === owner(ofTask))).toHaveLength(2);
  expect(await copied(key)).toMatchObject({ stored: files.length, unchanged: 0, failed: 0, finished: true });
});
