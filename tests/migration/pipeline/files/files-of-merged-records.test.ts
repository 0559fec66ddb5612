import { expect, test } from "vitest";

import { apiOf, copied, COPY } from "@/tests/migration/support/copied-files";
import { useOrgWithFiles } from "@/tests/migration/support/org-with-files";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const sandbox = useOrgWithFiles();

async function linkOf(document: string): Promise<string> {
  const [link] = await sandbox.ask(`SELECT Id FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`);
  return String(link?.Id);
}

/** Two contacts of one e-mail address and one of another, each but the first with an attachment. */
async function attachToContacts() {
  const [ofDuplicate = "", ofOurs = ""] = await sandbox.idsOf("Attachment");
  const [stays = "", duplicate = "", ours = ""] = await sandbox.idsOf("Contact");
  for (const id of [stays, duplicate]) await sandbox.update("Contact", id, { Email: "ada@example.com" });
  await sandbox.update("Contact", ours, { Email: "grace@example.com" });
  await sandbox.update("Attachment", ofDuplicate, { ParentId: duplicate });
  await sandbox.update("Attachment", ofOurs, { ParentId: ours });
  return { stays, ofDuplicate, ofOurs };
}

/** An e-mail and its Task with the same document, the Task with an attachment besides. */
async function attachToEmail() {
  const [, , ofTask = ""] = await sandbox.idsOf("Attachment");
  const [document = "", other = ""] = await sandbox.idsOf("ContentDocument");
  const [email] = await sandbox.ask(
    "SELECT Id, ActivityId FROM EmailMessage WHERE ActivityId != null AND Status != '0' AND IsDeleted = false",
  );
  const [emailId, taskId] = [String(email?.Id), String(email?.ActivityId)];
  const second = await linkOf(other);
  await sandbox.update("Attachment", ofTask, { ParentId: taskId });
  await sandbox.update("ContentDocumentLink", await linkOf(document), { LinkedEntityId: emailId });
  await sandbox.update("ContentDocumentLink", second, { LinkedEntityId: taskId, ContentDocumentId: document });
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
  expect(await runMigration(key, sandbox.client, { configuration })).toMatchObject({ failure: null });
  const files = await (await apiOf(organizationId)).list();
  const owner = (extId: string) => files.find((file) => file.ext_id === extId)?.record_id;
  expect(owner(ofDuplicate)).toBe((await recordsOf("contacts", organizationId))[stays]?.id);
  expect(owner(ofOurs)).toBe(here);
  const { rows } = await pool().query("SELECT record_id FROM ext_aliases WHERE ext_id = $1", [taskId]);
  expect([{ record_id: owner(ofTask) }]).toEqual(rows);
  expect(files.filter((file) => file.record_id === owner(ofTask))).toHaveLength(2);
  expect(await copied(key)).toMatchObject({ stored: files.length, unchanged: 0, failed: 0, finished: true });
});
