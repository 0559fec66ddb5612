import { expect, onTestFinished, test, vi } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { contentKey } from "@/lib/files/file-storage";
import { openStorage } from "@/lib/files/open-storage";
import { eraseContents, eraseFiles, ORPHANED_OF, PAGE, purgeFiles, purgeFilesOf } from "@/lib/files/purge-files";
import { MIN_UUID, newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { deleteOperation, createOperation } from "@/lib/records/operations";
import { purgeDeleted } from "@/lib/records/purge";
import { run } from "@/tests/records/support/write-operations";
import { ageDeletions } from "@/tests/support/age-deletions";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { planOf, readersOf } from "@/tests/support/query-plan";
import { type S3Server, startS3Server } from "@/tests/support/s3-server";

const FILES = 2500;

/** An organization with one account and many files of it. The record of each thousandth file is gone. */
async function createFiles(): Promise<string> {
  const { organizationId } = await createContext();
  await pool().query(
    `WITH account AS (
       INSERT INTO accounts (organization_id, id, created_at, updated_at, name)
       VALUES ($1, uuidv7(), now(), now(), 'Alpine Tools') RETURNING id
     ) INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
       SELECT $1, uuidv7(), now(), 'accounts', CASE WHEN n % 1000 = 0 THEN uuidv7() ELSE account.id END, n,
         'a.txt', 1, ''
       FROM account, generate_series(1, ${FILES}) AS n`,
    [organizationId],
  );
  await pool().query("ANALYZE files");
  return organizationId;
}

test("files are purged wherever they are among those that stay, and no statement reads more than a page", async () => {
  const organizationId = await createFiles();
  // It has no name, so PostgreSQL plans it for its values.
  const page = { text: PAGE, values: [organizationId, MIN_UUID] };
  const nodes = await planOf(page, "force_custom_plan", { analyze: true });
  const read = nodes.filter((node) => node["Relation Name"] === "files").map((node) => node["Actual Rows"]);
  expect(read).toEqual([1000]);
  expect(await purgeFiles()).toBe(2);
  const { rowCount } = await pool().query("SELECT FROM files WHERE organization_id = $1", [organizationId]);
  expect(rowCount).toBe(FILES - 2);
  expect(await purgeFiles()).toBe(0);
});

test("files for which an hourly purge has no time are left to the daily one", async () => {
  const { organizationId } = await createContext();
  const record = { organization_id: organizationId, id: newId() };
  await pool().query(
    `INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
     SELECT $1, uuidv7(), now(), 'accounts', $2, n, 'a.txt', 1, '' FROM generate_series(1, 2500) AS n`,
    [organizationId, record.id],
  );
  const left = async () =>
    (await pool().query("SELECT FROM files WHERE organization_id = $1", [organizationId])).rowCount;
  await purgeFilesOf([record], performance.now());
  expect(await left()).toBe(2500);
  await purgeFiles();
  expect(await left()).toBe(0);
});

test("the files of deleted records go with them after thirty days, by one look at an index", async () => {
  const context = await createContext();
  const { organizationId } = context;
  const accounts = [];
  for (let n = 0; n < 2; n += 1) accounts.push(await run(createOperation("accounts"), context, NEEDED.accounts));
  const ids = accounts.map(({ id }) => id);
  await pool().query(
    `INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
     SELECT $1, uuidv7(), now(), 'accounts', id, 'a', 'a.txt', 1, '' FROM unnest($2::uuid[]) AS id`,
    [organizationId, ids],
  );
  await run(deleteOperation("accounts"), context, { id: ids[0] });
  const left = async () => {
    await purgeDeleted(purgeFilesOf);
    const text = "SELECT record_id AS id FROM files WHERE organization_id = $1 ORDER BY 1";
    return (await pool().query<{ id: string }>(text, [organizationId])).rows.map(({ id }) => id);
  };
  expect(await left()).toEqual(ids.toSorted());
  await ageDeletions(organizationId, 31);
  expect(await left()).toEqual([ids[1]]);
  const nodes = await planOf({ text: ORPHANED_OF, values: [await createFiles(), ids] }, "force_custom_plan");
  const files = readersOf(nodes).filter((node) => node["Relation Name"] === "files" || node["Index Name"]);
  expect(files.some((node) => /record_id = ANY/.test(node["Index Cond"] ?? ""))).toBe(true);
});

test("files stay of a record that a migration removed, while an undo can bring it back", async () => {
  const { organizationId } = await createContext();
  const [removed, changed] = [newId(), newId()];
  await pool().query(
    `WITH changes AS (
       INSERT INTO migration_changes (organization_id, migration_id, resource, record_id, changed_at, version, before)
       VALUES ($1, uuidv7(), 'activities', $2, now(), NULL, '{}'), ($1, uuidv7(), 'activities', $3, now(), 2, '{}')
     ) INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
       SELECT $1, uuidv7(), now(), 'activities', id, 'a', 'a.txt', 1, '' FROM unnest(ARRAY[$2, $3]::uuid[]) AS id`,
    [organizationId, removed, changed],
  );
  await purgeFiles();
  const { rows } = await pool().query("SELECT record_id FROM files WHERE organization_id = $1", [organizationId]);
  expect(rows).toEqual([{ record_id: removed }]);
});

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("content");
}

/** Lets the service keep contents in a bucket until the end of the test. */
async function useBucket(): Promise<S3Server> {
  const server = await startS3Server();
  const { url, region, accessKeyId, secretAccessKey } = server;
  const keys = { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey };
  Object.assign(env, { FILES_S3_URL: url, FILES_S3_REGION: region, ...keys });
  onTestFinished(() => void Object.assign(env, { FILES_S3_URL: undefined }));
  return server;
}

test.each([
  ["a folder", async () => undefined],
  ["a bucket", useBucket],
])("of an organization, also a content is erased whose worker was killed before its row, in %s", async (_, use) => {
  await use();
  const [ours, theirs] = [newId(), newId()];
  const [gone, kept] = [contentKey(ours, newId()), contentKey(theirs, newId())];
  const storage = openStorage();
  for (const key of [gone, kept]) await storage.write(key, content());
  expect(await inOrganization(ours, () => eraseContents(ours, 1000))).toBe(true);
  expect(await storage.read(gone)).toBeNull();
  expect(await new Response(await storage.read(kept)).text()).toBe("content");
});

test.each([
  ["whose key may not list it", 403, "AccessDenied"],
  ["whose address goes on behind it", 404, "NoSuchKey"],
])("a bucket %s keeps no deleted organization: the log says that contents stay", async (_, status, code) => {
  const warn = vi.spyOn(log, "warn");
  const server = await useBucket();
  const ours = newId();
  const erase = () => inOrganization(ours, () => eraseContents(ours, 1000));
  server.faults = [[status, `<Error><Code>${code}</Code></Error>`]];
  expect(await erase()).toBe(true);
  expect(warn).toHaveBeenCalledWith(
    { organization_id: ours, err: expect.objectContaining({ message: expect.stringContaining(code) }) },
    expect.stringContaining("contents that no row names stay"),
  );
  server.faults = [503, 503, 503];
  await expect(erase()).rejects.toMatchObject({ name: "StorageError", transient: true });
  server.faults = [[403, "<Error><Code>SignatureDoesNotMatch</Code></Error>"]];
  await expect(erase()).rejects.toMatchObject({ name: "StorageError", transient: false });
});

test("a service that keeps no files any more reads and deletes those of its folder", async () => {
  const ours = newId();
  const [read, erased] = [contentKey(ours, newId()), contentKey(ours, newId())];
  for (const key of [read, erased]) await openStorage().write(key, content());
  Object.assign(env, { FILES_STORAGE: "none" });
  onTestFinished(() => void Object.assign(env, { FILES_STORAGE: undefined }));
  const storage = openStorage();
  expect(await new Response(await storage.read(read)).text()).toBe("content");
  expect(await inOrganization(ours, () => eraseContents(ours, 1000))).toBe(true);
  expect([await storage.read(read), await storage.read(erased)]).toEqual([null, null]);
  await expect(storage.write(read, content())).rejects.toMatchObject({ name: "StorageError", transient: false });
});

test("a service that keeps no files any more deletes those from before, although their contents are gone", async () => {
  const { DATA_DIR } = env;
  Object.assign(env, { FILES_STORAGE: "none", DATA_DIR: "/gone" });
  onTestFinished(() => void Object.assign(env, { FILES_STORAGE: undefined, DATA_DIR }));
  const organizationId = await createFiles();
  expect(await inOrganization(organizationId, () => eraseFiles(organizationId, 1000))).toBe(true);
  expect(await inOrganization(organizationId, () => eraseContents(organizationId, 1000))).toBe(true);
  const storage = openStorage();
  expect([await storage.read("key"), await storage.removeUnfinished(new Date())]).toEqual([null, 0]);
  await expect(storage.write("key", content())).rejects.toMatchObject({ name: "StorageError", transient: false });
});
