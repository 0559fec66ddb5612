import { afterAll, beforeAll, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import type { EntryFile } from "@/lib/migration/objects/entry-files";
import { findFiles } from "@/lib/migration/pipeline/files/find-files";
import { attachFiles } from "@/lib/migration/pipeline/read/entry-files";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query, type SourceRecord } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 600, seed: 3 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
});
afterAll(() => org.stop());

const ask = async (soql: string): Promise<SourceRecord[]> => (await query(client, soql, { all: true })).records;

/** The ids of the files that entries name, and of those that are copied with them. */
async function filesOf(object: "EmailMessage" | "FeedItem", entries: readonly SourceRecord[]) {
  const records = entries.map((entry) => ({ ...entry }));
  await attachFiles(client, object, records);
  const owners = records.map(({ Id, Attachments }) => ({
    id: newId(),
    ext_ids: [String(Id)],
    named: ((Attachments ?? []) as EntryFile[]).map(({ ext_id: extId }) => extId),
  }));
  const unnamed = owners.map((owner) => ({ ...owner, named: [] }));
  const found = await findFiles(client, object === "FeedItem" ? owners : unnamed);
  return {
    named: owners.flatMap(({ named }) => named).toSorted(),
    copied: found.map(({ extId }) => extId).toSorted(),
  };
}

async function archivedVersions(): Promise<Set<unknown>> {
  const documents = await ask("SELECT LatestPublishedVersionId FROM ContentDocument WHERE IsArchived = true");
  return new Set(documents.map(({ LatestPublishedVersionId }) => LatestPublishedVersionId));
}

async function documentOf(version: string): Promise<string> {
  const [found] = await ask(`SELECT ContentDocumentId FROM ContentVersion WHERE Id = '${version}'`);
  return String(found?.ContentDocumentId);
}

async function linkOf(version: string): Promise<string> {
  const document = await documentOf(version);
  const [link] = await ask(`SELECT Id FROM ContentDocumentLink WHERE ContentDocumentId = '${document}'`);
  return String(link?.Id);
}

test("archived files of e-mails are named and copied; deleted ones are neither, also for administrators", async () => {
  const emails = await ask("SELECT Id, HasAttachment FROM EmailMessage WHERE IsDeleted = false");
  const { named, copied } = await filesOf("EmailMessage", emails);
  const archived = await archivedVersions();
  expect(copied.filter((id) => archived.has(id)).length).toBeGreaterThan(0);
  expect(named).toEqual(copied);
  const attachment = copied.find((id) => id.startsWith("00P")) ?? "";
  const [ofDeleted = "", unlinked = "", unversioned = ""] = copied.filter((id) => id.startsWith("068"));
  const object = "ContentDocument";
  await org.mutate({ op: "delete", object: "Attachment", id: attachment });
  await org.mutate({ op: "delete", object, id: await documentOf(ofDeleted) });
  await org.mutate({ op: "delete", object: "ContentDocumentLink", id: await linkOf(unlinked) });
  const fields = { LatestPublishedVersionId: null };
  await org.mutate({ op: "update", object, id: await documentOf(unversioned), fields });
  const gone = new Set([attachment, ofDeleted, unlinked, unversioned]);
  const left = copied.filter((id) => !gone.has(id));
  expect(left).toHaveLength(copied.length - 4);
  expect(await filesOf("EmailMessage", emails)).toEqual({ named: left, copied: left });
});

test("archived files of posts are named and copied", async () => {
  const posts = await ask("SELECT Id, RelatedRecordId, HasContent FROM FeedItem WHERE Type = 'ContentPost'");
  const posted = posts.map(({ RelatedRecordId }) => String(RelatedRecordId)).toSorted();
  const archived = await archivedVersions();
  expect(posted.filter((id) => archived.has(id)).length).toBeGreaterThan(0);
  expect(await filesOf("FeedItem", posts)).toEqual({ named: posted, copied: posted });
});
