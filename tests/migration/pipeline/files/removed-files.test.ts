import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { openStorage } from "@/lib/files/open-storage";
import { purgeFiles } from "@/lib/files/purge-files";
import { storeFile } from "@/lib/files/store-file";
import { registerJobSender } from "@/lib/jobs";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { apiOf, contents, COPY } from "@/tests/migration/support/copied-files";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { undo } from "@/tests/migration/support/undo";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { startS3Server } from "@/tests/support/s3-server";

let org: RunningOrg;
let client: SalesforceClient;
let folder: string;

beforeAll(async () => {
  registerJobSender(async () => undefined);
  org = await startSandboxOrg({ records: 300, seed: 3 });
  client = openClient({
    instanceUrl: org.instanceUrl,
    accessToken: org.accessToken,
    apiVersion: "67.0",
    retry: { retries: 0, backoffMs: 1 },
  });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"));
  env.DATA_DIR = folder;
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
});
afterAll(() => org.stop());

test("the files of a record that is gone for good are purged with their contents; others stay", async () => {
  const key = await createMigration();
  await runMigration(key, client, { configuration: COPY });
  const before = contents().length;
  const gone = await pool().query<{ record_id: string }>(
    `UPDATE files SET record_id = gen_random_uuid() WHERE organization_id = $1 AND ext_id =
       (SELECT ext_id FROM files WHERE organization_id = $1 ORDER BY id LIMIT 1) RETURNING record_id`,
    [key.organizationId],
  );
  expect(gone.rowCount).toBeGreaterThan(0);
  await purgeFiles();
  expect(contents().length).toBe(before - (gone.rowCount ?? 0));
});

test("a content that still streams when its migration is undone is not kept, nor is its file", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId } = key;
  await runMigration(key, client);
  const recordId = await insertRecord("accounts", organizationId);
  const file = { resource: "accounts", recordId, extId: "068", name: "a.txt", contentType: null } as const;
  async function* streaming(): AsyncGenerator<Uint8Array> {
    await undo(await createContext({ organizationId }), key);
    yield Buffer.from("content");
  }
  const storing = inOrganization(organizationId, () => {
    const given = { ...file, ...key, createdAt: new Date(), runNumber: 1 };
    return storeFile(organizationId, openStorage(), given, streaming(), 100);
  });
  expect(await storing).toBeNull();
  expect(contents()).toEqual([]);
  expect(await (await apiOf(organizationId)).list()).toEqual([]);
});

test("an undo removes the files with their contents, but not those of records that it keeps", async () => {
  const [key, other] = [await createMigration(), await createMigration()];
  await runMigration(key, client, { configuration: COPY });
  await runMigration(other, client, { configuration: COPY });
  const both = contents().length;
  const api = await apiOf(key.organizationId);
  const files = await api.list();
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE cases SET version = version + 1 WHERE organization_id = $1 AND id = ANY ($2::uuid[]) RETURNING id`,
    [key.organizationId, files.map(({ record_id: recordId }) => recordId)],
  );
  const kept = files.filter(({ record_id: recordId }) => rows.some(({ id }) => id === recordId));
  expect(kept.length).toBeGreaterThan(0);
  await undo(await createContext({ organizationId: key.organizationId }), key);
  const left = await api.list();
  expect(left).toEqual(expect.arrayContaining(kept));
  const keptParts = await pool().query<{ record_id: string }>(
    "SELECT record_id FROM migration_undo_kept WHERE migration_id = $1",
    [key.migrationId],
  );
  const keptIds = new Set(keptParts.rows.map(({ record_id: recordId }) => recordId));
  expect(left).toEqual(files.filter(({ record_id: recordId }) => keptIds.has(recordId)));
  expect(contents()).toHaveLength(both - files.length + left.length);
  for (const { id } of left) expect((await api.download(id)).status).toBe(200);
  const others = await apiOf(other.organizationId);
  for (const { id } of await others.list()) expect((await others.download(id)).status).toBe(200);
});

test("files that a run added to records of another migration are removed by its undo, the records stay", async () => {
  const key = await createMigration();
  await runMigration(key, client);
  const later = await createMigration(AUTOMATIC_OBJECTS, undefined, key.organizationId);
  await runMigration(later, client, { configuration: COPY });
  const api = await apiOf(key.organizationId);
  const [file] = await api.list();
  expect(file).toBeDefined();
  const count = async () => {
    const { rows } = await pool().query("SELECT count(*)::int FROM cases WHERE organization_id = $1", [
      key.organizationId,
    ]);
    return rows;
  };
  const cases = await count();
  await undo(await createContext({ organizationId: key.organizationId }), later);
  expect(await api.list()).toEqual([]);
  expect((await api.download(file?.id ?? "")).status).toBe(404);
  expect([contents(), await count()]).toEqual([[], cases]);
});

function update(object: string, id: unknown, fields: Record<string, string | null>): Promise<unknown> {
  return org.mutate({ op: "update", object, id: String(id), fields });
}

test("an e-mail that moves out of its case keeps its files, also when an undo moves it back", async () => {
  const ask = async (soql: string) => (await query(client, soql, { all: true })).records[0];
  const email = await ask("SELECT Id, ParentId FROM EmailMessage WHERE ParentId != null AND Status != '0'");
  const attachment = await ask("SELECT Id FROM Attachment WHERE IsDeleted = false");
  await update("Attachment", attachment?.Id, { ParentId: String(email?.Id) });
  const first = await createMigration();
  const { organizationId } = first;
  await runMigration(first, client, { configuration: COPY });
  const api = await apiOf(organizationId);
  const copied = async () => (await api.list()).find(({ ext_id: extId }) => extId === attachment?.Id);
  const [before, kept] = [await copied(), contents()];
  expect(before).toMatchObject({ resource: "case_comments" });
  await update("EmailMessage", email?.Id, { ParentId: null, RelatedToId: null });
  const second = await createMigration(AUTOMATIC_OBJECTS, undefined, organizationId);
  const { lines } = await runMigration(second, client, { configuration: COPY });
  expect(lines.EmailMessage).toMatchObject({ created: 1 });
  await purgeFiles();
  expect(await copied()).toEqual({ ...before, resource: "activities" });
  await undo(await createContext({ organizationId }), second);
  await purgeFiles();
  expect([await copied(), contents()]).toEqual([before, kept]);
  await update("EmailMessage", email?.Id, { ParentId: String(email?.ParentId) });
});

test("with settings of an S3-compatible storage the contents are there, through a fault as well", async () => {
  const server = await startS3Server();
  Object.assign(env, {
    FILES_S3_URL: server.url,
    FILES_S3_REGION: server.region,
    FILES_S3_ACCESS_KEY_ID: server.accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  });
  try {
    server.faults = [503];
    const key = await createMigration();
    expect(await runMigration(key, client, { configuration: COPY })).toMatchObject({ failure: null });
    const api = await apiOf(key.organizationId);
    const files = await api.list();
    expect(server.objects.size).toBe(files.length);
    for (const { id, sha256, ext_id: extId } of files) {
      const bytes = Buffer.from(await (await api.download(id)).arrayBuffer());
      expect([extId, createHash("sha256").update(bytes).digest("hex")]).toEqual([extId, sha256]);
    }
    await undo(await createContext({ organizationId: key.organizationId }), key);
    expect(server.objects.size).toBe(0);
    expect(contents()).toEqual([]);
  } finally {
    Object.assign(env, { FILES_S3_URL: undefined });
  }
});
