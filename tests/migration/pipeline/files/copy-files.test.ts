import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { env } from "@/lib/env";
import { dispositionOf } from "@/lib/files/read-files";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { inOrganization } from "@/lib/database/organization-scope";
import { findMigration } from "@/lib/migration/find-migration";
import { apiOf, contents, copied, COPY } from "@/tests/migration/support/copied-files";
import {
  createMigration,
  type Finished,
  finishedOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;
let folder: string;

/** A migration that copied every file, into a folder of its own. */
interface Whole {
  key: MigrationKey;
  folder: string;
  finished: Finished;
  result: Awaited<ReturnType<typeof copied>>;
  /** How many requests it took. */
  requests: number;
}
let whole: Whole;

const makeFolder = () => mkdtempSync(join(tmpdir(), "files-"));

async function copyWhole(): Promise<Whole> {
  env.DATA_DIR = makeFolder();
  const key = await createMigration();
  const before = client.requests;
  const finished = await runMigration(key, client, { configuration: COPY });
  const requests = client.requests - before;
  return { key, folder: env.DATA_DIR, finished, result: await copied(key), requests };
}

beforeAll(async () => {
  org = await startSandboxOrg({ records: 600, seed: 3 });
  client = openClient({
    instanceUrl: org.instanceUrl,
    accessToken: org.accessToken,
    apiVersion: "67.0",
    retry: { retries: 0, backoffMs: 1 },
  });
  whole = await copyWhole();
});
beforeEach(() => {
  folder = makeFolder();
  env.DATA_DIR = folder;
});
afterEach(async () => {
  await org.setRules([]);
  rmSync(folder, { recursive: true });
});
afterAll(async () => {
  if (whole) rmSync(whole.folder, { recursive: true });
  await org.stop();
});

async function sourceBytes(extId: string): Promise<Buffer> {
  const path = extId.startsWith("00P") ? `Attachment/${extId}/Body` : `ContentVersion/${extId}/VersionData`;
  const response = await fetch(`${org.instanceUrl}/services/data/v67.0/sobjects/${path}`, {
    headers: { authorization: `Bearer ${org.accessToken}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

test("by default no file is copied", async () => {
  const key = await createMigration();
  await runMigration(key, client);
  expect(await copied(key)).toBeUndefined();
  expect(contents()).toEqual([]);
});

test("files of migrated records are copied byte for byte, with their digests", async () => {
  const { key, finished, result } = whole;
  env.DATA_DIR = whole.folder;
  expect(finished).toMatchObject({ failure: null });
  const api = await apiOf(key.organizationId);
  const files = await api.list();
  expect(files.length).toBeGreaterThan(25);
  for (const file of files) {
    const bytes = await sourceBytes(file.ext_id);
    const answer = await api.download(file.id);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get("content-length")).toBe(String(bytes.byteLength));
    expect(file).toMatchObject({ size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") });
  }
  expect(result).toMatchObject({
    stored: files.length,
    skipped: 0,
    failed: 0,
    finished: true,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  });
  const kinds = new Set(files.map(({ ext_id: extId }) => extId.slice(0, 3)));
  expect(kinds).toEqual(new Set(["00P", "068"]));
  const posts = await pool().query(
    `SELECT FROM files f JOIN case_comments c ON c.id = f.record_id WHERE f.organization_id = $1 AND c.ext_id ~ '^0D'`,
    [key.organizationId],
  );
  expect(posts.rowCount).toBeGreaterThan(0);
});

test("a second run copies nothing again, and slices of no time end at the same result", async () => {
  const [key, sliced] = [await createMigration(), await createMigration()];
  await runMigration(key, client, { configuration: COPY });
  const first = await copied(key);
  const before = contents();
  await runMigration(key, client, { configuration: COPY });
  expect(await copied(key)).toMatchObject({ stored: 0, unchanged: first.stored, bytes: 0, finished: true });
  expect(contents()).toEqual(before);
  await runMigration(sliced, client, { configuration: COPY, milliseconds: 0 });
  expect(await copied(sliced)).toEqual(first);
  expect(contents().length).toBe(2 * before.length);
});

test("a source that fails in between is tried again, and nothing is stored twice or half", async () => {
  const key = await createMigration();
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(COPY)));
  await org.setRules([{ preset: "SERVER_UNAVAILABLE", path: "/VersionData", after: 4 }]);
  const message = expect.stringMatching(/^File 068\w{15}: Salesforce answered SERVER_UNAVAILABLE/);
  await expect(workToTheEnd(run, client)).rejects.toMatchObject({ transient: true, message });
  expect(contents().filter((name) => name.endsWith(".part"))).toEqual([]);
  await org.setRules([]);
  await workToTheEnd(run, client);
  expect(await copied(key)).toEqual(whole.result);
  expect(contents()).toHaveLength(whole.result.stored);
});

/** Works on a run until it has copied files, and not all. */
async function workIntoFiles(key: MigrationKey, run: RunKey): Promise<void> {
  while (!((await copied(key))?.stored > 0)) await workSlice(run, async () => client, 0);
}

test("a run that goes on copying no longer waits for the source, before its batch of files is done", async () => {
  const key = await createMigration();
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(COPY)));
  await workIntoFiles(key, run);
  const { stored } = await copied(key);
  const failure = { code: "source_unreachable", detail: "503", remedy: "", since: new Date(0).toISOString() };
  await pool().query("UPDATE migrations SET failure = $2 WHERE id = $1", [key.migrationId, failure]);
  await workSlice(run, async () => client, 0);
  expect(await copied(key)).toMatchObject({ stored: stored + 1, finished: false });
  expect(await finishedOf(key)).toMatchObject({ status: "running", failure: null });
});

test("a run under way copies no file once the service keeps none, and says so", async () => {
  onTestFinished(() => void Object.assign(env, { FILES_STORAGE: undefined }));
  const key = await createMigration();
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(COPY)));
  Object.assign(env, { FILES_STORAGE: "none" });
  await workToTheEnd(run, client);
  const detail = expect.stringMatching(/^This service keeps no files/);
  const remedy = expect.stringMatching(/^Change the configuration of the migration/);
  expect(await finishedOf(key)).toMatchObject({ status: "failed", failure: { detail, remedy } });
  expect(contents()).toEqual([]);
});

test("an external id that no record of Salesforce has is not sent there", async () => {
  const key = await createMigration();
  const madeUp = "ORDER2026110000123";
  await insertRecord("accounts", key.organizationId, { ext_id: madeUp });
  const strict: SalesforceClient = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "json") return typeof value === "function" ? value.bind(target) : value;
      const json: SalesforceClient["json"] = (path, schema, options) => {
        if (!path.includes(madeUp)) return target.json(path, schema, options);
        throw new SalesforceError("source_error", "Salesforce answered INVALID_QUERY_FILTER_OPERATOR", { status: 400 });
      };
      return json;
    },
  });
  expect(await runMigration(key, strict, { configuration: COPY })).toMatchObject({ failure: null });
  expect(await copied(key)).toMatchObject({ finished: true });
  expect((await copied(key)).stored).toBeGreaterThan(0);
});

test("a file that is hidden from the Salesforce user is listed with its reason", async () => {
  const key = await createMigration();
  await org.setRules([{ preset: "NOT_FOUND", path: "/Body", times: 2 }]);
  expect(await runMigration(key, client, { configuration: COPY })).toMatchObject({ failure: null });
  const { failed, left_out: leftOut } = await copied(key);
  expect(failed).toBe(2);
  expect(leftOut).toHaveLength(2);
});

test.each([
  ["whose download the org blocks", "CONTENT_CUSTOMIZED_DOWNLOAD_EXCEPTION"],
  ["at which Salesforce fails each time", "UNKNOWN_EXCEPTION"],
] as const)("a file %s is listed with the code of Salesforce, and no other fails", async (_, preset) => {
  const key = await createMigration();
  const files = await (await apiOf(whole.key.organizationId)).list();
  const refused = files.find(({ ext_id: extId }) => extId.startsWith("068"))?.ext_id ?? "";
  await org.setRules([{ preset, path: `/ContentVersion/${refused}/` }]);
  expect(await runMigration(key, client, { configuration: COPY })).toMatchObject({ failure: null });
  expect(await copied(key)).toMatchObject({
    stored: files.length - 1,
    failed: 1,
    finished: true,
    left_out: [{ ext_id: refused, reason: expect.stringContaining(preset) }],
  });
});

test("in an outage, in which Salesforce fails at ids too, no file is left out: the run waits for its end", async () => {
  const key = await createMigration();
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(COPY)));
  await org.setRules([
    { preset: "UNKNOWN_EXCEPTION", path: "/VersionData", after: 4 },
    { preset: "UNKNOWN_EXCEPTION", soql: "FROM ContentVersion WHERE Id = '" },
  ]);
  await expect(workToTheEnd(run, client)).rejects.toMatchObject({ transient: true });
  await org.setRules([]);
  await workToTheEnd(run, client);
  expect(await copied(key)).toEqual(whole.result);
});

test("a download is an attachment of a harmless type under its name", async () => {
  env.DATA_DIR = whole.folder;
  const api = await apiOf(whole.key.organizationId);
  for (const file of await api.list()) {
    const { headers } = await api.download(file.id, "HEAD");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toBe(dispositionOf(file.name));
    expect(headers.get("content-type")).not.toBe("text/html");
  }
  expect(dispositionOf('a "b"\r\n.html')).toBe(
    "attachment; filename=\"a _b___.html\"; filename*=UTF-8''a%20%22b%22%0D%0A.html",
  );
});

test("a run whose requests are used up among its files waits, goes on later, and counts each file once", async () => {
  const { stored, bytes } = whole.result;
  const key = await createMigration();
  const limited = { ...COPY, api_limit: { requests: whole.requests - Math.floor(stored / 2) } };
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(limited)));
  await workToTheEnd(run, client);
  expect(await finishedOf(key)).toMatchObject({ status: "running", failure: { code: "source_limit_exceeded" } });
  const half = await copied(key);
  expect(half.stored).toBeGreaterThan(0);
  expect(half).toMatchObject({ finished: false, unchanged: 0 });
  await pool().query(
    `UPDATE migrations SET api_counted_since = now() - interval '25 hours', wakes_at = now() WHERE id = $1`,
    [key.migrationId],
  );
  await workToTheEnd(run, client);
  expect(await finishedOf(key)).toMatchObject({ status: "completed", failure: null });
  expect(await copied(key)).toMatchObject({ stored, bytes, unchanged: 0, finished: true });
});

test("a migration shows the files of its latest run, and none if that copies none", async () => {
  const key = await createMigration();
  await runMigration(key, client, { configuration: COPY });
  const find = () => findMigration(key.organizationId, key.migrationId);
  const shown = async () => (await inOrganization(key.organizationId, find)).files;
  const { stored, bytes } = whole.result;
  expect(await shown()).toMatchObject({ stored, bytes, skipped: 0, failed: 0, finished: true, left_out: [] });
  await runMigration(key, client, { configuration: { files: { copy: false, max_mb: 1 } } });
  expect(await shown()).toBeNull();
});

test("files are seen and downloaded only within their organization, and only with their record", async () => {
  env.DATA_DIR = whole.folder;
  const api = await apiOf(whole.key.organizationId);
  const file = (await api.list()).find(({ ext_id: extId }) => extId.startsWith("00P"));
  if (!file) throw new Error("There is no attachment.");
  expect(await api.list(`&record_id=${file.record_id}`)).toContainEqual(file);
  const others = await apiOf((await createContext()).organizationId);
  expect(await others.list()).toEqual([]);
  expect((await others.get(file.id)).status).toBe(404);
  for (const id of ["x", "../x", "%00"]) {
    expect((await api.get(id)).status).toBe(404);
    expect((await api.download(id)).status).toBe(404);
  }
  expect((await others.download(file.id)).status).toBe(404);
  for (const table of ["accounts", "contacts", "cases", "case_comments", "activities"])
    await pool().query(`SET session_replication_role = replica; DELETE FROM ${table} WHERE id = '${file.record_id}'`);
  await pool().query("SET session_replication_role = origin");
  expect((await api.download(file.id)).status).toBe(404);
});
