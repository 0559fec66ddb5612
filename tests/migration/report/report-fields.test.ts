import { afterAll, beforeAll, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { mapObject } from "@/lib/migration/report/map-object";
import type { FieldReport, Report } from "@/lib/migration/report/report-schema";
import { analyze, analyzeOrg, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { createMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

const [RECORDS, SEED] = [1200, 11];

let org: RunningOrg;
let report: Report;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, seed: SEED });
  report = await analyzeOrg(org);
});
afterAll(() => org.stop());

type Row = Record<string, unknown>;

/** All records that are not deleted, as the generator makes them, in the order of their ids. */
function liveRecords(object: string): Row[] {
  const { total } = countOf(SEED, RECORDS, object);
  return Array.from({ length: total }, (_, ordinal): Row => recordAt(SEED, RECORDS, object, ordinal)).filter(
    ({ IsDeleted }) => IsDeleted !== true,
  );
}

function fieldsOf(object: string, from = report): FieldReport[] {
  return from.inventory.find((entry) => entry.object === object)?.fields ?? [];
}

const filledIn = (rows: readonly Row[], name: string) => rows.filter((row) => (row[name] ?? null) !== null).length;

test.each(AUTOMATIC_OBJECTS)("%s: the fill rates are those of the generated records", (object: SourceObjectName) => {
  const live = liveRecords(object);
  const newest = live.slice(-200);
  const measured = fieldsOf(object).flatMap(({ source, fill }) => (fill ? [{ source, fill }] : []));
  expect(measured.length).toBeGreaterThan(5);
  const ways = object === "FeedItem" ? ["sampled"] : ["counted", "sampled"];
  expect(new Set(measured.map(({ fill }) => fill.measured))).toEqual(new Set(ways));
  for (const { source, fill } of measured) {
    const rows = fill.measured === "counted" ? live : newest;
    const filled = filledIn(rows, source);
    expect([source, fill]).toEqual([
      source,
      { filled, of: rows.length, rate: Number((filled / rows.length).toFixed(4)), measured: fill.measured },
    ]);
  }
});

test("long texts, check boxes and multi-select picklists are sampled, all other fields are counted", () => {
  // Salesforce counts no posts by a field.
  const counted = AUTOMATIC_OBJECTS.filter((object) => object !== "FeedItem");
  const sampled = counted.flatMap((object) => fieldsOf(object)).filter(({ fill }) => fill?.measured === "sampled");
  expect([...new Set(sampled.map(({ type }) => type))].toSorted()).toEqual(["boolean", "multipicklist", "textarea"]);
});

test("what is not read is not measured, and is left out with a reason", () => {
  const unread = AUTOMATIC_OBJECTS.flatMap((object) => fieldsOf(object)).filter(({ fill }) => fill === null);
  expect(unread.length).toBeGreaterThan(10);
  for (const { fit } of unread) expect(fit).toMatchObject({ verdict: "left_out", reason: expect.stringMatching(/\w/) });
});

test("the report tells which fields Salesforce calculates", () => {
  const byName = new Map(fieldsOf("Case").map((field) => [field.source, field]));
  const note = expect.stringContaining("Calculated by Salesforce");
  expect(byName.get("Resolution_Hours__c")).toMatchObject({ calculated: true, note });
  expect(byName.get("Subject")).toMatchObject({ calculated: false });
  expect(risksNamed(report, "calculated_fields")).toMatchObject([
    { title: "1 field is calculated by Salesforce", detail: expect.stringContaining("Cases (Resolution_Hours__c)") },
  ]);
});

test("a field of which the user sees only masks keeps its target, and is told to be stored nowhere now", async () => {
  const key = await createMigration(["Contact"]);
  const Contact = [sourceRecord("003", 1, { LastName: "Weber", Passport_Encrypted__c: "***X" })];
  const permission = { Id: "0up", PermissionsViewEncryptedData: false };
  const source = new ScriptedSource({ Contact, UserPermissionAccess: [permission] });
  const passport = async () => {
    const { fields } = await inOrganization(key.organizationId, () => mapObject(key, source, "Contact"));
    return fields.find(({ source: name }) => name === "Passport_Encrypted__c");
  };
  expect(await passport()).toMatchObject({
    target: "custom_fields",
    note: expect.stringContaining("only masks"),
    samples: [],
    fill: null,
    fit: { verdict: "left_out", reason: expect.stringContaining("only masks") },
  });
  permission.PermissionsViewEncryptedData = true;
  expect(await passport()).toMatchObject({ target: "custom_fields", samples: ["***X"] });
});

test("the picklist verdict has the number of records for each outcome", () => {
  const status = fieldsOf("Case").find(({ source }) => source === "Status");
  const byValue = Map.groupBy(liveRecords("Case"), ({ Status }) => String(Status));
  const unknown = ["Zurückgestellt"].reduce((sum, value) => sum + (byValue.get(value)?.length ?? 0), 0);
  expect(unknown).toBeGreaterThan(0);
  const { same = null, translated = null, ...rest } = status?.fit?.picklist ?? {};
  expect(rest).toEqual({ unknown, unknown_values: 1 });
  const spelled = ["New", "Escalated", "Closed", "On Hold", "Waiting on Customer", "Resolved", "In Progress"];
  const records = (values: string[]) => values.reduce((sum, value) => sum + (byValue.get(value)?.length ?? 0), 0);
  expect(same).toBe(records(spelled));
  expect(translated).toBe(liveRecords("Case").length - records(spelled) - unknown);
  expect(status?.fit).toMatchObject({ verdict: "does_not_fit", type: "converted" });
});

test("the longest sampled text is measured against the length that clients may write", () => {
  for (const object of AUTOMATIC_OBJECTS) {
    const newest = liveRecords(object).slice(-200);
    for (const { source, fit } of fieldsOf(object)) {
      if (!fit?.length) continue;
      const lengths = newest.map((row) => row[source]).filter((value) => value !== null && value !== undefined);
      const longest = Math.max(0, ...lengths.map((value) => String(value).length));
      expect([object, source, fit.length.longest]).toEqual([object, source, longest]);
    }
  }
});

test("fields that Salesforce refuses to count are sampled, and the report says so", async () => {
  await org.setRules([{ object: "Account", soql: "COUNT(Phone)", preset: "QUERY_TIMEOUT" }]);
  const key = await connect(org);
  await analyze(key);
  await org.setRules([]);
  const fields = fieldsOf("Account", await reportOf(key));
  const measured = (name: string) => fields.find(({ source }) => source === name)?.fill?.measured;
  expect([measured("Phone"), measured("Name")]).toEqual(["sampled", "sampled"]);
  expect(fields.map(({ fill }) => fill?.measured)).toContain("counted");
});
