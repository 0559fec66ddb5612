import { afterAll, beforeAll, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { comparedFields } from "@/lib/migration/proof/compared-fields";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";
import type { QueryPage } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { pool } from "@/tests/support/owner";

const REFUSED = { status: 400, body: '[{"errorCode":"MALFORMED_QUERY","message":"no"}]' };

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1200, seed: 5 });
  const { instanceUrl, accessToken } = org;
  client = openClient({ instanceUrl, accessToken, apiVersion: "67.0", retry: { backoffMs: 1 } });
  key = await createMigration();
  await runMigration(key, client);
});
afterAll(() => org.stop());

async function prove(object: SourceObjectName, choices?: ObjectConfiguration): Promise<ObjectProof> {
  const { rows } = await pool().query<{ read_until: Date }>(`SELECT read_until FROM migrations WHERE id = $1`, [
    key.migrationId,
  ]);
  const until = rows[0]?.read_until ?? new Date();
  return inOrganization(key.organizationId, () => proveObject({ key, client, window: { until } }, object, choices));
}

function change(text: string, ...values: unknown[]) {
  return pool().query(text, [key.organizationId, ...values]);
}

test.each(AUTOMATIC_OBJECTS)("%s: nothing is missing and nothing differs after a run", async (object) => {
  const proof = await prove(object);
  const differing = [...proof.relationships, ...proof.amounts, ...proof.picklists].filter((one) => one.different > 0);
  expect(differing).toEqual([]);
  expect(proof).toMatchObject({ missing: 0, missing_ids: [], proven: true });
  expect(proof.source).toBeGreaterThan(0);
  expect(proof.digests.accounted_for).toBe(proof.digests.source);
});

test("all parents are compared, although Salesforce tells of them in answers that end early", async () => {
  const { relationships } = await prove("Contact");
  const { json } = client;
  client.json = async (path, schema, options) => {
    const answer = await json.call(client, path, schema, options);
    if (!path.includes("GROUP%20BY%20AccountId")) return answer as never;
    const { records } = answer as QueryPage;
    const half = records.slice(0, Math.ceil(records.length / 2));
    return schema.parse({ totalSize: half.length, done: half.length === records.length, records: half });
  };
  const early = await prove("Contact");
  client.json = json;
  expect(early.relationships).toEqual(relationships);
});

test("links whose ids are kept by choice are not compared, and do not stand in the way of the proof", async () => {
  const choices: ObjectConfiguration = {
    selected: true,
    fields: {},
    values: {},
    relationships: { AccountId: "keep_id" },
  };
  const { relationships, proven } = await prove("Contact", choices);
  expect(relationships.find(({ field }) => field === "AccountId")?.not_compared_because).toContain("configuration");
  expect(relationships.find(({ field }) => field === "ReportsToId")?.not_compared_because).toBeNull();
  expect(proven).toBe(true);
});

async function casesOfTasks(): Promise<ObjectProof["relationships"][number] | undefined> {
  return (await prove("Task")).relationships.find(({ field, parent }) => field === "WhatId" && parent === "Case");
}

test("the cases of activities are compared, and a link that is lost is named", async () => {
  expect(await casesOfTasks()).toMatchObject({
    compared: expect.toSatisfy((count: number) => count > 5),
    different: 0,
  });
  const { rows } = await change(
    `UPDATE activities a SET case_id = NULL FROM (
       SELECT id, case_id FROM activities
       WHERE organization_id = $1 AND case_id IS NOT NULL AND starts_with(ext_id, '00T') LIMIT 1) AS one
     JOIN cases ON cases.organization_id = $1 AND cases.id = one.case_id
     WHERE a.organization_id = $1 AND a.id = one.id RETURNING a.id, one.case_id, cases.ext_id`,
  );
  const found = await casesOfTasks();
  await change(
    "UPDATE activities SET case_id = $3 WHERE organization_id = $1 AND id = $2",
    rows[0].id,
    rows[0].case_id,
  );
  expect(found?.differences).toEqual([expect.objectContaining({ key: rows[0].ext_id })]);
  expect(await casesOfTasks()).toMatchObject({ different: 0 });
});

test.each([
  ["times out", { preset: "QUERY_TIMEOUT" as const }, "GROUP BY AccountId", "AccountId", "Contact" as const],
  ["is refused", REFUSED, "SUM(AnnualRevenue)", "AnnualRevenue", "Account" as const],
  ["times out", { preset: "QUERY_TIMEOUT" as const }, "GROUP BY Industry", "Industry", "Account" as const],
  ["fails", { preset: "UNKNOWN_EXCEPTION" as const }, "GROUP BY Industry", "Industry", "Account" as const],
])("a field whose query %s proves nothing, and the others are compared", async (_, fault, soql, field, object) => {
  await org.setRules([{ soql, ...fault }]);
  const proof = await prove(object);
  await org.setRules([]);
  const compared = [...proof.relationships, ...proof.amounts, ...proof.picklists];
  const skipped = compared.filter(({ not_compared_because: because }) => because?.includes("did not answer"));
  expect(skipped.map((one) => one.field)).toEqual([field]);
  expect(compared.length).toBeGreaterThan(1);
  expect(proof).toMatchObject({ missing: 0, proven: false });
});

/** While it works, statements on accounts that meet a condition end as by a timeout. */
async function whileTooSlow<Result>(condition: string, work: () => Promise<Result>): Promise<Result> {
  await pool().query(`
    CREATE FUNCTION take_too_long() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      IF ${condition} THEN RAISE EXCEPTION 'too long' USING ERRCODE = 'query_canceled'; END IF;
      RETURN true;
    END $$;
    CREATE POLICY take_too_long ON accounts AS RESTRICTIVE USING (take_too_long())`);
  try {
    return await work();
  } finally {
    await pool().query("DROP POLICY take_too_long ON accounts; DROP FUNCTION take_too_long()");
  }
}

test("a field whose records here take too long to count proves nothing, and the others are compared", async () => {
  const proof = await whileTooSlow("current_query() LIKE '% AS total%'", () => prove("Account"));
  expect(proof.amounts.map(({ not_compared_because: because }) => because)).toContainEqual(
    expect.stringContaining("in ten minutes"),
  );
  const others = [...proof.relationships, ...proof.picklists];
  expect(others.filter(({ not_compared_because: because }) => because === null).length).toBeGreaterThan(1);
  expect(proof).toMatchObject({ missing: 0, proven: false });
});

test("counting records here may take as long as statements of jobs may", async () => {
  const counts = "current_query() ~ 'AS (total|kept|records)' AND current_setting('statement_timeout') <> '10min'";
  expect(await whileTooSlow(counts, () => prove("Account"))).toMatchObject({ proven: true });
});

test("an amount that Salesforce does not add up is not compared", async () => {
  const { fields } = await describeObject(client, "Account");
  const plan = planObject("Account", fields, undefined);
  const hidden = fields.map((field) => ({ ...field, aggregatable: field.name !== "AnnualRevenue" }));
  const amounts = comparedFields(plan, fields).amounts.map(({ source }) => source);
  expect(amounts).toContain("AnnualRevenue");
  expect(comparedFields(plan, hidden).amounts.map(({ source }) => source)).toEqual(
    amounts.filter((source) => source !== "AnnualRevenue"),
  );
});

test("every link that an activity gets is compared, each by one field of the source", async () => {
  const { fields } = await describeObject(client, "Task");
  const { relationships } = comparedFields(planObject("Task", fields), fields);
  const links = relationships.map(({ field, prefix, column, keptAs }) => [field, prefix, column, keptAs]);
  expect(links.toSorted()).toEqual([
    ["AccountId", "001", "account_id", "WhatId"],
    ["WhatId", "006", "opportunity_id", undefined],
    ["WhatId", "500", "case_id", undefined],
    ["WhoId", "003", "contact_id", undefined],
    ["WhoId", "00Q", "lead_id", undefined],
  ]);
});

test("a record that is gone here is named, and the digests differ", async () => {
  const { rows } = await change(
    `DELETE FROM contacts WHERE id = (
       SELECT id FROM contacts c WHERE organization_id = $1 AND account_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM contacts o WHERE o.organization_id = $1 AND o.reports_to_id = c.id)
         AND NOT EXISTS (SELECT FROM cases o WHERE o.organization_id = $1 AND o.contact_id = c.id)
         AND NOT EXISTS (SELECT FROM activities o WHERE o.organization_id = $1 AND o.contact_id = c.id) LIMIT 1
     ) RETURNING ext_id, (SELECT ext_id FROM accounts a WHERE a.organization_id = $1 AND a.id = account_id) AS account`,
  );
  const proof = await prove("Contact");
  expect(proof).toMatchObject({ proven: false, missing: 1, missing_ids: [rows[0].ext_id] });
  expect(proof.digests.accounted_for).not.toBe(proof.digests.source);
  expect(proof.relationships.find(({ field }) => field === "AccountId")?.differences).toEqual([
    expect.objectContaining({ key: rows[0].account }),
  ]);
});

test("a link, an amount and a value that were changed here are found, each where it stands", async () => {
  const { rows: linked } = await change(
    `UPDATE cases SET account_id = NULL WHERE organization_id = $1 AND id = (
       SELECT id FROM cases WHERE organization_id = $1 AND account_id IS NOT NULL LIMIT 1
     ) RETURNING ext_id`,
  );
  await change(
    `UPDATE accounts SET annual_revenue = annual_revenue + 1000, industry = 'Astrology'
     WHERE organization_id = $1 AND id = (
       SELECT id FROM accounts WHERE organization_id = $1 AND annual_revenue IS NOT NULL AND industry IS NOT NULL
       LIMIT 1
     )`,
  );
  const [cases, accounts] = [await prove("Case"), await prove("Account")];
  expect(linked).toHaveLength(1);
  expect(cases.relationships.filter(({ different }) => different > 0)).toMatchObject([
    { field: "AccountId", different: 1 },
  ]);
  const amount = accounts.amounts.find(({ different }) => different > 0);
  expect(amount).toMatchObject({ field: "AnnualRevenue", different: 1 });
  const [changed] = amount?.differences ?? [];
  expect((changed?.here ?? 0) - (changed?.source ?? 0)).toBeCloseTo(1000, 0);
  const industry = accounts.picklists.find(({ different }) => different > 0);
  expect(industry?.differences).toContainEqual({ key: "Astrology", source: 0, here: 1 });
});

test.each(["tbd", "12,000", "NaN", "1e999999"])("an amount that was edited here to %s counts as none", async (text) => {
  const { rows } = await change(
    `UPDATE accounts SET custom_fields = custom_fields || jsonb_build_object('AnnualRevenue', $2::text)
     WHERE organization_id = $1 AND id = (
       SELECT id FROM accounts WHERE organization_id = $1 AND annual_revenue > 1 AND NOT custom_fields ? 'AnnualRevenue'
       LIMIT 1
     ) RETURNING id`,
    text,
  );
  const { amounts, proven } = await prove("Account");
  await change(
    "UPDATE accounts SET custom_fields = custom_fields - 'AnnualRevenue' WHERE organization_id = $1 AND id = $2",
    rows[0].id,
  );
  expect(proven).toBe(false);
  expect(amounts.filter(({ different }) => different > 0).map(({ field }) => field)).toEqual(["AnnualRevenue"]);
});

test("what was changed in Salesforce after the run is counted, and shows as a difference", async () => {
  const { rows } = await change(`SELECT ext_id FROM accounts WHERE organization_id = $1 ORDER BY id LIMIT 1`);
  const before = await prove("Account");
  await org.mutate({ op: "update", object: "Account", id: rows[0].ext_id, fields: { Industry: "Falconry" } });
  const after = await prove("Account");
  expect(after.changed_since).toBe((before.changed_since ?? 0) + 1);
  const industry = after.picklists.find(({ field }) => field === "Industry");
  expect(industry?.differences).toContainEqual({ key: "Falconry", source: 1, here: 0 });
});

test("records that stay as edited here are not compared, nor is the object proven; the rest is compared", async () => {
  // The tests before have changed records as no program does, without raising their version.
  await change("UPDATE accounts SET source_digest = NULL WHERE organization_id = $1");
  await runMigration(key, client);
  await change(
    `UPDATE accounts SET annual_revenue = 7, industry = 'Astronomy', parent_account_id = NULL, version = version + 1
     WHERE organization_id = $1 AND id = (
       SELECT id FROM accounts WHERE organization_id = $1 AND industry IS NOT NULL AND parent_account_id IS NOT NULL
       LIMIT 1
     )`,
  );
  await runMigration(key, client, { configuration: { repeat: "ours_wins" } });
  const kept = await prove("Account");
  expect(kept).toMatchObject({ missing: 0, proven: false, not_compared: { records: 1 } });
  expect([...kept.relationships, ...kept.amounts, ...kept.picklists].filter(({ different }) => different > 0)).toEqual(
    [],
  );
  await runMigration(key, client, { configuration: { repeat: "source_wins" } });
  expect(await prove("Account")).toMatchObject({ proven: true, not_compared: null });
});

test("a status that reads as one of ours, and that IsClosed contradicts, proves as Salesforce counts", async () => {
  const { rows } = await change(
    `SELECT ext_id FROM activities WHERE organization_id = $1 AND starts_with(ext_id, '00T') AND status <> 'completed'
     LIMIT 1`,
  );
  const fields = { Status: "Deferred", IsClosed: true };
  await org.mutate({ op: "update", object: "Task", id: rows[0].ext_id, fields });
  await runMigration(key, client);
  const stored = await change(
    "SELECT status FROM activities WHERE organization_id = $1 AND ext_id = $2",
    rows[0].ext_id,
  );
  expect(stored.rows).toEqual([{ status: "completed" }]);
  const { picklists } = await prove("Task");
  expect(picklists.find(({ field }) => field === "Status")).toMatchObject({ different: 0, differences: [] });
});
