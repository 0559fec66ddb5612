import { afterAll, beforeAll, expect, test, vi } from "vitest";

// What requests may give follows from the settings that were read when the modules were loaded.
await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  env.MIGRATION_PREVIEW_OBJECTS = ["lead", "opportunity", "product"];
});

import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { getConfiguration, putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { type SourceObjectName, PLANNED_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { attachSales } from "@/lib/migration/pipeline/read/sales-records";
import { previewMigration } from "@/lib/migration/preview/preview-migration";
import { proveObject } from "@/lib/migration/proof/prove-object";
import { listRelationships } from "@/lib/migration/relationships/list-relationships";
import type { Report } from "@/lib/migration/report/report-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import { createOperation } from "@/lib/records/operations";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { type Finished, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { dump, statusOf, undo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const SIZE = 400;
const SEED = 5;

let org: RunningOrg;
let client: SalesforceClient;
let key: MigrationKey;
let report: Report;
let before: Awaited<ReturnType<typeof dump>>;
let first: Finished;

beforeAll(async () => {
  org = await startSandboxOrg({ records: SIZE, seed: SEED });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  key = await connect(org);
  await analyze(key);
  report = await reportOf(key);
  const context = await createContext({ organizationId: key.organizationId });
  await run(createOperation("products"), context, { ...NEEDED.products, sku: String(takenBy().ProductCode) });
  before = await dump(key.organizationId, []);
  first = await runMigration(key, client);
});
afterAll(() => org.stop());

/** The records of the org that a migration imports. */
function sourceRecords(object: string): Record<string, unknown>[] {
  const { total } = countOf(SEED, SIZE, object);
  return Array.from({ length: total }, (_, n) => recordAt(SEED, SIZE, object, n)).filter((one) => !one.IsDeleted);
}

/** The product whose code a product of the organization has. */
function takenBy() {
  return sourceRecords("Product2").find(({ ProductCode }) => ProductCode !== null) ?? {};
}

const entryOf = (object: string) => report.inventory.find((one) => one.object === object);

test("the report has the three as a preview, with the verdict of each value of their picklists", () => {
  for (const object of PLANNED_OBJECTS) {
    expect(entryOf(object)).toMatchObject({ status: "preview", count: sourceRecords(object).length });
    expect(entryOf(object)?.reason).toMatch(/^A preview: /);
  }
  expect(report.risks.map(({ code }) => code)).not.toContain("planned_objects");
  expect(report.estimate.timeline.map(({ object }) => object)).toEqual(expect.arrayContaining([...PLANNED_OBJECTS]));
  const stage = entryOf("Opportunity")?.fields.find(({ source }) => source === "StageName");
  const meant = Object.fromEntries(stage?.values?.map(({ source, suggestion }) => [source, suggestion]) ?? []);
  expect(stage?.target).toBe("stage");
  expect(meant).toMatchObject({
    "Id. Decision Makers": "decision_makers",
    "Proposal/Price Quote": "proposal",
    "Closed Won": "closed_won",
  });
});

test("a run imports every one of them, and its sums close", () => {
  expect(first.status).not.toBe("failed");
  for (const object of PLANNED_OBJECTS) {
    const source = sourceRecords(object).length;
    expect(first.lines[object]).toMatchObject({ status: "done", source, created: source, failed: 0, skipped: 0 });
  }
});

test("a lead is converted exactly if it is in the source", async () => {
  const leads = await recordsOf("leads", key.organizationId);
  const source = sourceRecords("Lead");
  const shown = source
    .map(({ Id }) => leads[String(Id)])
    .map((lead) => [lead?.status === "converted", lead?.converted_at]);
  expect(shown).toEqual(
    source.map(({ IsConverted, ConvertedDate }) => [
      IsConverted,
      IsConverted === true ? `${String(ConvertedDate)}T12:00:00+00:00` : null,
    ]),
  );
});

test.each([
  ["accounts", "ConvertedAccountId", "converted_account_id"],
  ["contacts", "ConvertedContactId", "converted_contact_id"],
  ["opportunities", "ConvertedOpportunityId", "converted_opportunity_id"],
])("converted leads are linked to the %s that they became; ids of others are kept", async (resource, field, column) => {
  const leads = await recordsOf("leads", key.organizationId);
  const targets = await recordsOf(resource, key.organizationId);
  const source = sourceRecords("Lead");
  const idOf = (extId: unknown) => targets[String(extId)]?.id ?? null;
  expect(source.map(({ Id }) => leads[String(Id)]?.[column])).toEqual(source.map((lead) => idOf(lead[field])));
  expect(source.map(({ Id }) => customFields(leads, Id)[field] ?? null)).toEqual(
    source.map((lead) => (idOf(lead[field]) === null ? lead[field] : null)),
  );
  expect(source.filter((lead) => idOf(lead[field]) !== null).length).toBeGreaterThan(2);
});

function customFields(records: Record<string, Record<string, unknown>>, extId: unknown): Record<string, unknown> {
  return (records[String(extId)]?.custom_fields ?? {}) as Record<string, unknown>;
}

test("an opportunity has its values, account and primary contact", async () => {
  const opportunities = await recordsOf("opportunities", key.organizationId);
  const accounts = await recordsOf("accounts", key.organizationId);
  const contacts = await recordsOf("contacts", key.organizationId);
  const source = sourceRecords("Opportunity");
  expect(source.map(({ Id }) => opportunities[String(Id)])).toMatchObject(
    source.map(({ Name, Amount, IsWon, CloseDate, AccountId, ContactId }) => ({
      name: Name,
      amount: Amount,
      is_won: IsWon,
      close_date: CloseDate,
      account_id: accounts[String(AccountId)]?.id ?? null,
      contact_id: contacts[String(ContactId)]?.id ?? null,
    })),
  );
  expect(Object.values(opportunities).filter(({ contact_id: id }) => id !== null).length).toBeGreaterThan(5);
});

const TOLD = ["Id", "Name", "Quantity", "UnitPrice", "TotalPrice", "Product2Id", "Needs_Installation__c"];

function told(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(TOLD.flatMap((name) => (line[name] === null ? [] : [[name, line[name]]])));
}

function inOrder(lines: Record<string, unknown>[]) {
  return lines.toSorted((one, other) => Number(one.SortOrder) - Number(other.SortOrder)).map(told);
}

test("an opportunity keeps its lines, in their order, with products, amounts and custom fields", async () => {
  const opportunities = await recordsOf("opportunities", key.organizationId);
  const lines = Map.groupBy(sourceRecords("OpportunityLineItem"), ({ OpportunityId }) => OpportunityId);
  const ids = sourceRecords("Opportunity").map(({ Id }) => Id);
  expect(ids.map((id) => customFields(opportunities, id).OpportunityLineItems ?? [])).toMatchObject(
    ids.map((id) => inOrder(lines.get(id) ?? [])),
  );
  expect(lines.size).toBeGreaterThan(5);
});

test("the primary contact is found by its role where the opportunity does not name it", async () => {
  const named = sourceRecords("Opportunity").filter(({ ContactId }) => ContactId !== null);
  const records: SourceRecord[] = named.map(({ Id }) => ({ Id, HasOpportunityLineItem: false }));
  await attachSales(client, "Opportunity", records);
  expect(records.map(({ ContactId }) => ContactId)).toEqual(named.map(({ ContactId }) => ContactId));
});

test("a product has its standard price; a code that another product has is kept as a custom field", async () => {
  const products = await recordsOf("products", key.organizationId);
  const book = recordAt(SEED, SIZE, "Pricebook2", 0);
  const prices = new Map(
    sourceRecords("PricebookEntry").flatMap(({ Pricebook2Id, Product2Id, UnitPrice }) =>
      Pricebook2Id === book.Id ? [[Product2Id, UnitPrice] as const] : [],
    ),
  );
  for (const source of sourceRecords("Product2"))
    expect(products[String(source.Id)]).toMatchObject({
      name: source.Name,
      sku: source.Id === takenBy().Id ? null : source.ProductCode,
      unit_price: prices.get(source.Id) ?? null,
      is_active: source.IsActive,
    });
  expect([...prices.values()]).not.toHaveLength(0);
  expect(products[String(takenBy().Id)]?.custom_fields).toMatchObject({ ProductCode: takenBy().ProductCode });
});

test("tasks and events are linked to leads and opportunities", async () => {
  const leads = await recordsOf("leads", key.organizationId);
  const activities = Object.values(await recordsOf("activities", key.organizationId));
  const ids = new Set(Object.values(leads).map(({ id }) => id));
  const linked = activities.filter(({ lead_id: id }) => id !== null);
  expect(linked.length).toBeGreaterThan(0);
  expect(linked.every(({ lead_id: id }) => ids.has(id))).toBe(true);
});

test.each(PLANNED_OBJECTS)("the proof of %s is green, amounts and links included", async (object) => {
  const proof = await prove(object);
  expect(proof).toMatchObject({ missing: 0, proven: true });
  const compared = [...proof.relationships, ...proof.amounts].map(({ field }) => field);
  expect(compared).toEqual(expect.arrayContaining(COMPARED[object]));
  expect([...proof.relationships, ...proof.amounts].every(({ compared: groups }) => groups > 0)).toBe(true);
});

const COMPARED: Record<(typeof PLANNED_OBJECTS)[number], string[]> = {
  Lead: ["ConvertedAccountId", "ConvertedContactId", "ConvertedOpportunityId", "AnnualRevenue"],
  Opportunity: ["AccountId", "ContactId", "Amount"],
  Product2: [],
};

async function prove(object: SourceObjectName) {
  const { rows } = await pool().query<{ read_until: Date }>("SELECT read_until FROM migrations WHERE id = $1", [
    key.migrationId,
  ]);
  const until = rows[0]?.read_until ?? new Date();
  return inOrganization(key.organizationId, () => proveObject({ key, client, window: { until } }, object, undefined));
}

function change(by: number) {
  return pool().query(
    `UPDATE opportunities SET amount = amount + $2 WHERE organization_id = $1 AND id =
       (SELECT id FROM opportunities WHERE organization_id = $1 AND amount IS NOT NULL ORDER BY id LIMIT 1)`,
    [key.organizationId, by],
  );
}

test("an amount that is changed here makes the proof of the sum fail", async () => {
  await change(1000);
  expect(await prove("Opportunity")).toMatchObject({ proven: false });
  await change(-1000);
  expect(await prove("Opportunity")).toMatchObject({ proven: true });
});

test("the links of a lead are counted, and its preview tells what a run would make of it", async () => {
  const context = await createContext({ organizationId: key.organizationId });
  const leads = await recordsOf("leads", key.organizationId);
  const converted = Object.values(leads).filter(({ status }) => status === "converted");
  const missing = converted.filter((lead) => "ConvertedAccountId" in (lead.custom_fields as object)).length;
  const links = valueOf(await execute(listRelationships, context, { migration_id: key.migrationId }));
  expect(links.data.find(({ field }) => field === "ConvertedAccountId")).toMatchObject({
    target: "accounts",
    missing,
  });
  const ids = converted.filter(({ converted_account_id: id }) => id !== null).map(({ ext_id: id }) => String(id));
  const asked = { migration_id: key.migrationId, object: "Lead", ext_ids: ids.slice(0, 1) };
  const previewed = valueOf(await execute(previewMigration, context, asked));
  expect(previewed.data).toMatchObject([{ outcome: "unchanged", resource: "leads", ext_id: ids[0] }]);
});

test("choices for them are accepted", async () => {
  const context = await createContext({ organizationId: key.organizationId });
  const choices = { objects: { Opportunity: { values: { StageName: { Prospecting: "qualification" } } } } };
  await execute(putConfiguration, context, { migration_id: key.migrationId, ...choices });
  const saved = valueOf(await execute(getConfiguration, context, { migration_id: key.migrationId }));
  expect(saved.objects?.Opportunity?.values).toEqual(choices.objects.Opportunity.values);
  await execute(putConfiguration, context, { migration_id: key.migrationId });
});

test("a second run, by the Bulk API, changes nothing", async () => {
  const objects = Object.fromEntries(PLANNED_OBJECTS.map((name) => [name, { api: "bulk" }]));
  const again = await runMigration(key, client, { configuration: configurationSchema.parse({ objects }) });
  for (const object of PLANNED_OBJECTS) {
    const source = sourceRecords(object).length;
    expect(again.lines[object]).toMatchObject({ status: "done", created: 0, updated: 0, unchanged: source });
  }
  const { rows } = await pool().query<{ api: string }>(
    "SELECT api FROM migration_objects WHERE migration_id = $1 AND object = ANY ($2)",
    [key.migrationId, PLANNED_OBJECTS],
  );
  expect(rows.map(({ api }) => api)).toEqual(PLANNED_OBJECTS.map(() => "bulk"));
  expect(Object.values(await issuesOf(key)).filter(({ outcome }) => outcome === "failed")).toHaveLength(0);
});

test("without the setting a run leaves them alone, though the report has them", async () => {
  env.MIGRATION_PREVIEW_OBJECTS = ["lead"];
  await expect(runMigration(key, client)).rejects.toThrow(/^Product2 is selected, but .* Leave it out/);
  const again = await runMigration(key, client, { configuration: configurationSchema.parse({}) });
  env.MIGRATION_PREVIEW_OBJECTS = ["lead", "opportunity", "product"];
  expect(Object.keys(again.lines)).toContain("Lead");
  expect(Object.keys(again.lines)).not.toContain("Opportunity");
  expect(Object.keys(again.lines)).not.toContain("Product2");
});

test("an undo takes them back: every table is as it was", async () => {
  const context = await createContext({ organizationId: key.organizationId });
  await undo(context, key);
  expect((await statusOf(key)).status).toBe("undone");
  expect(await dump(key.organizationId, [])).toEqual(before);
});
