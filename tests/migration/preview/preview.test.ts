import { afterAll, beforeAll, expect, test } from "vitest";

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { previewMigration } from "@/lib/migration/preview/preview-migration";
import type { Preview, PreviewedRecord } from "@/lib/migration/preview/preview-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect } from "@/tests/migration/support/analyze-org";
import { issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;
/** What was previewed before the run, and what was stored before and after that. */
let first: Map<SourceObjectName, Preview>;
let stored: { before: unknown; after: unknown };

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1000, seed: 11 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  key = await connect(org);
  await analyze(key);
  const before = await digestOf(key.organizationId);
  first = new Map();
  for (const object of AUTOMATIC_OBJECTS) first.set(object, await previewOf({ object, count: 8 }));
  stored = { before, after: await digestOf(key.organizationId) };
  await runMigration(key, client);
});
afterAll(() => org.stop());

async function previewOf(input: Record<string, unknown>): Promise<Preview> {
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const before = { migration_id: key.migrationId, ...input };
  return previewMigration.output.parse(valueOf(await execute(previewMigration, context, before)));
}

/** Every row of an organization, by table. Members are added by the tests themselves. */
async function digestOf(organizationId: string): Promise<unknown> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'organization_id' AND t.table_type = 'BASE TABLE'
       AND c.table_name NOT IN ('memberships', 'members', 'users') ORDER BY 1`,
  );
  const digests: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool().query(
      `SELECT count(*), md5(string_agg(to_jsonb(t)::text, '|' ORDER BY to_jsonb(t)::text)) AS digest
       FROM "${name}" t WHERE organization_id = $1`,
      [organizationId],
    );
    digests[name] = rows[0];
  }
  return digests;
}

function everyRecord(): [SourceObjectName, PreviewedRecord][] {
  return [...first].flatMap(([object, { data }]) =>
    data.map((record): [SourceObjectName, PreviewedRecord] => [object, record]),
  );
}

test("a preview leaves nothing behind: no rows, events, issues, case numbers or audit", () => {
  expect(stored.after).toEqual(stored.before);
});

test("a sample has as many records as asked for, of both ends and of those at risk", () => {
  for (const { data, not_previewed_because: because, api_requests: requests } of first.values()) {
    expect(because).toBeNull();
    expect(requests).toBeLessThan(40);
    expect(data.length).toBeGreaterThan(0);
    expect(data.length).toBeLessThanOrEqual(8);
    expect(new Set(data.map(({ ext_id }) => ext_id)).size).toBe(data.length);
  }
  const accounts = first.get("Account")?.data ?? [];
  expect(accounts).toHaveLength(8);
  const reasons = new Set(accounts.flatMap(({ sampled_as }) => sampled_as));
  expect([...reasons]).toEqual(expect.arrayContaining(["first", "last", "most_filled", "middle"]));
});

test("the run makes of each previewed record what the preview said", async () => {
  const issues = await issuesOf(key);
  const here = new Map<string, Awaited<ReturnType<typeof recordsOf>>>();
  for (const [, { resource }] of everyRecord())
    if (!here.has(resource)) here.set(resource, await recordsOf(resource, key.organizationId));
  const said = everyRecord().map(([object, { ext_id, outcome, cause, record_id }]) => ({
    object,
    ext_id,
    outcome,
    code: cause?.code ?? null,
    record_id,
  }));
  const done = everyRecord().map(([object, { ext_id, resource }]) => {
    const issue = issues[ext_id];
    const record_id = here.get(resource)?.[ext_id]?.id ?? null;
    return { object, ext_id, outcome: issue?.outcome ?? "created", code: issue?.code ?? null, record_id };
  });
  expect(said).toEqual(done);
  expect(said.filter(({ outcome }) => outcome === "created").length).toBeGreaterThan(30);
});

/** What a row has where a preview said that a value goes, with moments in one form. */
function rowValue(row: Record<string, unknown>, source: string, target: string | null): unknown {
  const value = target === "custom_fields" ? (row.custom_fields as Record<string, unknown>)[source] : row[target ?? ""];
  return inOneForm(value ?? null);
}

function inOneForm(value: unknown): unknown {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : value;
}

test("each field and link has the value that the run then gave it", async () => {
  const [said, done]: [unknown[], unknown[]] = [[], []];
  for (const [, { ext_id, resource, outcome, fields, links }] of everyRecord()) {
    if (outcome !== "created") continue;
    const row = (await recordsOf(resource, key.organizationId))[ext_id] ?? {};
    const whole = fields.filter(({ value }) => typeof value !== "string" || !value.endsWith("…"));
    for (const { source, target, value } of whole) {
      said.push([ext_id, source, inOneForm(value)]);
      done.push([ext_id, source, rowValue(row, source, target)]);
    }
    said.push(...links.map(({ field, record_id }) => [ext_id, field, record_id]));
    done.push(...links.map(({ field, target }) => [ext_id, field, row[target]]));
  }
  expect(said).toEqual(done);
  expect(said.length).toBeGreaterThan(350);
});

test("a second preview finds everything unchanged, and an edit that a run would overwrite is shown", async () => {
  const [record] = first.get("Account")?.data.filter(({ outcome }) => outcome === "created") ?? [];
  const extId = record?.ext_id ?? "";
  const again = await previewOf({ object: "Account", ext_ids: [extId] });
  expect(again.data).toMatchObject([
    { ext_id: extId, outcome: "unchanged", edited_here: false, overwritten: [], record_id: record?.record_id },
  ]);
  await pool().query(
    `UPDATE accounts SET phone = '+34 555 010', version = version + 1 WHERE organization_id = $1 AND ext_id = $2`,
    [key.organizationId, extId],
  );
  const before = await digestOf(key.organizationId);
  const edited = await previewOf({ object: "Account", ext_ids: [extId] });
  const phone = record?.fields.find(({ target }) => target === "phone")?.value ?? null;
  expect(edited.data).toMatchObject([
    { outcome: "updated", edited_here: true, overwritten: [{ field: "phone", before: "+34 555 010", after: phone }] },
  ]);
  const kept = await previewOf({ object: "Account", ext_ids: [extId], configuration: { repeat: "ours_wins" } });
  expect(kept.data).toMatchObject([{ outcome: "skipped", cause: { code: "edited_here" }, overwritten: [] }]);
  expect(await digestOf(key.organizationId)).toEqual(before);
});

test("choices are tried without storing them: a field that is left out, an object that is not selected", async () => {
  const configuration = configurationSchema.parse({
    objects: { Contact: { fields: { LastName: null } }, Account: { selected: false } },
  });
  const extIds = first
    .get("Contact")
    ?.data.slice(0, 2)
    .map(({ ext_id }) => ext_id);
  const tried = await previewOf({ object: "Contact", ext_ids: extIds, configuration });
  expect(tried.fields_left_out).toContainEqual(
    expect.objectContaining({ source: "LastName", because: "configuration" }),
  );
  for (const { fields } of tried.data) {
    const name = fields.find(({ source }) => source === "LastName");
    expect(name).toMatchObject({ target: null, change: "left_out", value: null });
    expect(name?.source_value).toEqual(expect.any(String));
  }
  expect(tried.parents.filter(({ object }) => object === "Account")).toEqual([]);
  await expect(previewOf({ object: "Account", configuration })).rejects.toMatchObject({ code: "illegal_state" });
});

test("what a choice leaves out of an archived activity is shown with its value", async () => {
  const archived = "SELECT Id, Subject FROM Task WHERE IsArchived = true AND IsDeleted = false AND Subject != null";
  const { records } = await query(client, `${archived} LIMIT 1`, { all: true });
  const configuration = configurationSchema.parse({ objects: { Task: { fields: { Subject: null } } } });
  const { data } = await previewOf({ object: "Task", ext_ids: records.map(({ Id }) => Id), configuration });
  const subjects = data.map(({ fields }) => fields.find(({ source }) => source === "Subject"));
  expect(subjects).toMatchObject([{ change: "left_out", source_value: records[0]?.Subject }]);
});

test("objects with more fields than one query may name are sampled in parts, with the same result", async () => {
  const whole = await previewOf({ object: "Case", count: 4 });
  await org.setRules([{ preset: "QUERY_TOO_COMPLICATED", fieldsAbove: 20 }]);
  const inParts = await previewOf({ object: "Case", count: 4 });
  await org.setRules([]);
  expect(inParts.data).toHaveLength(4);
  const byId = new Map(whole.data.map((record) => [record.ext_id, record]));
  for (const record of inParts.data) {
    const { fields = [], ...same } = byId.get(record.ext_id) ?? {};
    expect(record).toMatchObject(same);
    expect(new Set(record.fields)).toEqual(new Set(fields));
  }
  expect(inParts.api_requests).toBeGreaterThan(whole.api_requests);
});

test("source ids that the org does not have are named", async () => {
  const nobody = `001${"0".repeat(11)}zAAA`;
  const found = await previewOf({ object: "Account", ext_ids: [nobody] });
  expect(found).toMatchObject({ data: [], not_found: [nobody] });
});

test("a preview waits no longer than two seconds for a record that somebody is writing", async () => {
  const extId = first.get("Account")?.data.find(({ outcome }) => outcome === "created")?.ext_id;
  const other = await pool().connect();
  try {
    await other.query("BEGIN");
    await other.query("UPDATE accounts SET industry = 'Held' WHERE organization_id = $1 AND ext_id = $2", [
      key.organizationId,
      extId,
    ]);
    await expect(previewOf({ object: "Account", ext_ids: [extId] })).rejects.toMatchObject({
      code: "too_many_requests",
    });
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
});

test("a note says that a hierarchy goes on above what was read, for an account that a run then imports", async () => {
  let parent: string | undefined;
  for (const depth of [1, 2, 3, 4, 5, 6]) {
    const fields = { Name: `At ${depth}`, ParentId: parent ?? null };
    [parent] = await org.mutate({ op: "insert", object: "Account", fields, at: "2025-01-01T00:00:00.000Z" });
  }
  const configuration = { objects: { Account: { relationships: { ParentId: "leave_out" } } } };
  const deep = await previewOf({ object: "Account", ext_ids: [parent], configuration });
  expect(deep.data).toMatchObject([{ outcome: "skipped" }]);
  expect(deep.notes).toEqual([expect.stringContaining("more than four steps away")]);
  const whole = await previewOf({ object: "Account", ext_ids: [deep.parents[0]?.ext_id], configuration });
  expect(whole).toMatchObject({ data: [{ outcome: "created" }], notes: [] });
});
