import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { readByBulk } from "@/lib/migration/pipeline/read/read-by-bulk";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { createQueryJob, readQueryJob } from "@/lib/salesforce/bulk-query";
import { moveStatus } from "@/lib/migration/status";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";
import { select, type SourceRecord } from "@/lib/salesforce/query";
import {
  createMigration,
  finishedOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { isExhaustive } from "@/tests/support/exhaustive";
import { pool } from "@/tests/support/owner";

const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"];

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1500, seed: 23, gzipResults: true });
  client = openClient({
    instanceUrl: org.instanceUrl,
    accessToken: org.accessToken,
    apiVersion: "67.0",
    retry: { retries: 2, backoffMs: 1 },
  });
});
afterEach(async () => {
  await org.setRules([]);
  await org.expireJobs();
});
afterAll(() => org.stop());

const by = (api: "rest" | "bulk", objects: readonly SourceObjectName[] = AUTOMATIC_OBJECTS) => ({
  objects: Object.fromEntries(objects.map((name) => [name, { selected: true, fields: {}, values: {}, api }])),
});

async function everything(organizationId: string) {
  return Promise.all(RESOURCES.map((resource) => recordsOf(resource, organizationId)));
}

async function apisOf(migrationId: string) {
  const found = await pool().query<{ object: string; api: string; api_reason: string; bulk_job: unknown }>(
    `SELECT object, api, api_reason, bulk_job FROM migration_objects WHERE migration_id = $1 ORDER BY position`,
    [migrationId],
  );
  return found.rows;
}

async function jobsLeft(): Promise<unknown[]> {
  const answer = await client.request(`${client.dataPath}/jobs/query`);
  return (JSON.parse(answer.text) as { records: unknown[] }).records;
}

async function recordsBy(read: AsyncIterable<SourceRecord[] | { records: SourceRecord[] }>): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for await (const page of read) found.push(...(Array.isArray(page) ? page : page.records));
  return found.map(({ attributes: _attributes, ...record }) => record);
}

test.each(AUTOMATIC_OBJECTS)("%s: every value of every record is the same by Bulk as by REST", async (object) => {
  const { fields } = await describeObject(client, object);
  const plan = planObject(object, fields);
  const read = { from: object, fields: plan.select, types: plan.types, where: [], after: null, size: { records: 77 } };
  const id = await createQueryJob(client, select({ from: object, fields: plan.select, orderBy: "Id" }));
  let job = await readQueryJob(client, id);
  while (job.state !== "JobComplete") job = await readQueryJob(client, id);
  const progress = {
    job: { id, created_at: "", requested: 1_000_000, records: job.numberRecordsProcessed, locator: null },
    limit: 1,
    failures: 0,
    ended: false,
  };
  const [bulk, rest] = [
    await recordsBy(readByBulk(client, read, progress)),
    await recordsBy(readByKeyset(client, { ...read, all: true })),
  ];
  expect(bulk.length).toBeGreaterThan(0);
  expect(bulk).toEqual(rest);
});

test("imported by REST and read again by Bulk, an org is unchanged in every column; no job is left", async () => {
  const key = await createMigration();
  const first = await runMigration(key, client, { configuration: by("rest") });
  const before = await everything(key.organizationId);
  expect((await apisOf(key.migrationId)).map(({ api }) => api)).toEqual(AUTOMATIC_OBJECTS.map(() => "rest"));
  const again = await runMigration(key, client, { configuration: by("bulk") });
  expect(again).toMatchObject({ failure: null, status: first.status });
  for (const [name, line] of Object.entries(again.lines))
    expect(line).toMatchObject({ created: 0, updated: 0, source: first.lines[name]?.source });
  expect(await everything(key.organizationId)).toEqual(before);
  const rows = await apisOf(key.migrationId);
  // Salesforce limits how many entries of a feed can be read at once, so feeds are read by REST.
  const byBulk = rows.filter(({ object }) => !object.startsWith("Feed"));
  expect(byBulk.map(({ api, api_reason }) => [api, api_reason])).toEqual(
    byBulk.map(() => ["bulk", "Chosen in the configuration."]),
  );
  expect(rows.length - byBulk.length).toBe(2);
  expect(await jobsLeft()).toEqual([]);
});

test("stopped after every page, a run by Bulk stores every record once", async () => {
  const key = await createMigration();
  const finished = await runMigration(key, client, { configuration: by("bulk"), milliseconds: 0 });
  expect(finished.failure).toBeNull();
  for (const line of Object.values(finished.lines)) expect(line.created + line.skipped + line.failed).toBe(line.source);
  expect(await jobsLeft()).toEqual([]);
});

const ONE = ["Account"] as const;

async function runWith(rules: Parameters<RunningOrg["setRules"]>[0], reader = client) {
  const key = await createMigration(ONE);
  await org.setRules(rules);
  const finished = await runMigration(key, reader, { configuration: by("bulk", ONE) });
  const [api] = await apisOf(key.migrationId);
  return { finished, line: finished.lines.Account, api };
}

/** Each error at a request for the state of a job and at one for its results: unless exhaustive, at one by turns. */
function atBoth<Preset>(presets: readonly Preset[]): [path: string, preset: Preset][] {
  return presets.flatMap((preset, index) => {
    const paths = isExhaustive ? ["", "/results"] : [["", "/results"][index % 2] ?? ""];
    return paths.map((path): [string, Preset] => [path, preset]);
  });
}

/** Each error of Salesforce that concerns a request for a job. */
const REFUSALS = [
  "INVALIDENTITY",
  "API_ERROR",
  "INVALID_TYPE_FOR_OPERATION",
  "INSUFFICIENT_ACCESS",
  "QUERY_TOO_COMPLICATED",
  "OPERATION_TOO_LARGE",
  "EXCEEDED_ID_LIMIT",
  "NOT_FOUND",
  "URI_TOO_LONG",
] as const;

const LOST = [
  "INVALIDJOB",
  "INVALIDJOBSTATE",
  "INVALID_QUERY_LOCATOR",
  "API_VERSION_MISMATCH",
  "NOT_FOUND",
  "QUERY_TIMEOUT",
] as const;

const TRANSIENT = ["UNKNOWN_EXCEPTION", "SERVER_UNAVAILABLE", "HTML_PAGE", "UNABLE_TO_LOCK_ROW", "CONCURRENT_REQUESTS"];

function expectWhole(result: Awaited<ReturnType<typeof runWith>>) {
  expect(result.finished.failure).toBeNull();
  const { source = 0, created = 0, skipped = 0, failed = 0 } = result.line ?? {};
  expect(source).toBeGreaterThan(0);
  expect(created + skipped + failed).toBe(source);
}

test.each(REFUSALS)("%s for a new job: REST reads the object, and says why", async (preset) => {
  const result = await runWith([{ path: "/jobs/query", method: "POST", object: "Account", preset }]);
  expectWhole(result);
  expect(result.api).toMatchObject({ api: "rest", api_reason: expect.stringContaining("could not read it") });
  expect(await jobsLeft()).toEqual([]);
});

test.each(atBoth(LOST))("a job that is lost (GET …%s: %s) is created again, or REST goes on", async (path, preset) => {
  const pathPattern = `/jobs/query/\\w+${path}$`;
  const result = await runWith([{ pathPattern, method: "GET", object: "Account", preset, times: 1 }]);
  expectWhole(result);
  expect(await jobsLeft()).toEqual([]);
});

test.each(["", "/results"])("a job whose every GET …%s fails is given up: REST reads the object", async (path) => {
  const pathPattern = `/jobs/query/\\w+${path}$`;
  const result = await runWith([{ pathPattern, method: "GET", object: "Account", preset: "INVALIDJOB" }]);
  expectWhole(result);
  expect(result.api?.api).toBe("rest");
});

test.each(atBoth(TRANSIENT))("what passes (GET …%s: %s) is asked again", async (path, preset) => {
  const pathPattern = `/jobs/query/\\w+${path}$`;
  const result = await runWith([
    { pathPattern, method: "GET", object: "Account", preset: preset as "UNKNOWN_EXCEPTION", times: 1 },
  ]);
  expectWhole(result);
  expect(result.api?.api).toBe("bulk");
});

test("a failed job is repeated; if it fails again and again, REST reads the object", async () => {
  const once = await runWith([
    { path: "/jobs/query", method: "POST", object: "Account", action: "fail-job", times: 1 },
  ]);
  expectWhole(once);
  expect(once.api?.api).toBe("bulk");
  const always = await runWith([{ path: "/jobs/query", method: "POST", object: "Account", action: "fail-job" }]);
  expectWhole(always);
  expect(always.api).toMatchObject({ api: "rest", api_reason: expect.stringContaining("Failed") });
  expect(await jobsLeft()).toEqual([]);
});

test.each([
  ["INVALID_SESSION_ID", "source_token_refused", "paused"],
  ["REQUEST_LIMIT_EXCEEDED", "source_limit_exceeded", "running"],
] as const)("%s lets the run wait, as over REST", async (preset, code, status) => {
  const key = await createMigration(ONE);
  await org.setRules([{ object: "Account", preset }]);
  const waiting = await runMigration(key, client, { configuration: by("bulk", ONE) });
  expect(waiting).toMatchObject({ status, failure: { code } });
});

test.each(["API_DISABLED_FOR_ORG", "PASSWORD_EXPIRED"] as const)(
  "%s ends the run with its reason, as over REST, and its job is deleted as soon as possible",
  async (preset) => {
    const key = await createMigration(ONE);
    await org.setRules([{ object: "Account", preset }]);
    const { status, failure } = await runMigration(key, client, { configuration: by("bulk", ONE) });
    expect(status).toBe("failed");
    expect(failure?.detail).not.toBe("");
  },
);

test("a job that is deleted in the middle of its results is created again behind the last record", async () => {
  let streams = 0;
  const expiring: SalesforceClient = {
    origin: client.origin,
    apiVersion: client.apiVersion,
    dataPath: client.dataPath,
    usage: null,
    requests: 0,
    request: (path, options) => client.request(path, options),
    json: (path, schema, options) => client.json(path, schema, options),
    stream: async (path, options) => {
      streams += 1;
      if (streams === 2) await org.expireJobs();
      return client.stream(path, options);
    },
  };
  const key = await createMigration(["Task"]);
  const configuration = by("bulk", ["Task"]);
  const finished = await runMigration(key, expiring, { configuration, milliseconds: 0 });
  expect(finished.failure).toBeNull();
  const { source = 0, created = 0, skipped = 0, failed = 0 } = finished.lines.Task ?? {};
  expect(created + skipped + failed).toBe(source);
  expect(streams).toBeGreaterThan(2);
});

test("a connection that breaks within the results is a fault that passes: the run goes on where it was", async () => {
  const key = await createMigration(ONE);
  await org.setRules([{ path: "/results", action: "truncate", times: 1 }]);
  const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(by("bulk", ONE))));
  await expect(workToTheEnd(run, client)).rejects.toMatchObject({ transient: true });
  await workToTheEnd(run, client);
  const { failure, lines } = await finishedOf(key);
  expect(failure).toBeNull();
  const { source = 0, created = 0, skipped = 0, failed = 0 } = lines.Account ?? {};
  expect(created + skipped + failed).toBe(source);
});

test("the jobs of a run that was cancelled are deleted, also one that is still computed", async () => {
  const slow = await startSandboxOrg({ records: 300, seed: 23, bulkPolls: 1000 });
  try {
    const { instanceUrl, accessToken } = slow;
    const own = openClient({ instanceUrl, accessToken, apiVersion: "67.0" });
    const key = await createMigration(ONE);
    const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse(by("bulk", ONE))));
    const jobs = async () =>
      JSON.parse((await own.request(`${own.dataPath}/jobs/query`)).text) as { records: object[] };
    expect(await workSlice(run, async () => own, 500)).toMatchObject({ wait_ms: expect.any(Number) });
    expect((await jobs()).records).toMatchObject([{ state: "InProgress", object: "Account" }]);
    await inOrganization(key.organizationId, () => moveStatus(pool(), key, "cancelled", {}));
    expect(await workSlice(run, async () => own, 500)).toBe("ended");
    expect((await jobs()).records).toEqual([]);
  } finally {
    await slow.stop();
  }
});

test("small objects are read over REST without a question, and the reason is shown", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, client);
  expect(await apisOf(key.migrationId)).toMatchObject([
    { api: "rest", api_reason: expect.stringMatching(/^\d+ records, fewer than 30,000\.$/), bulk_job: null },
  ]);
});
