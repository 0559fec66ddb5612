import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fieldOf, possibleTargets, suggestTarget } from "@/lib/migration/configuration/mapping-rules";
import { asText, cleanJson, type Mapping, type People } from "@/lib/migration/objects/declaration";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import { fitOf } from "@/lib/migration/report/fields/field-fit";
import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";
import { describedRecord } from "@/tests/migration/support/generated-describes";

const NOBODY: People = {
  memberOf: () => null,
  ownerOf: () => ({ member: null, isSame: false }),
  nameOf: (id) => `User ${id}`,
  lookUp: async () => undefined,
};
const ORGANIZATION = "01890000-0000-7000-8000-000000000000";
const RUNS = { numRuns: 300 };

type Built = Extract<Outcome, { row: unknown }>;

function build(object: SourceObjectName, described: readonly FieldDescription[], record: SourceRecord): Built | null {
  const plan = planObject(object, described);
  const selected = Object.fromEntries(plan.select.map((name) => [name, record[name] ?? null]));
  const outcome = transform(plan, selected, NOBODY, ORGANIZATION);
  return "row" in outcome ? outcome : null;
}

/** Asserts what holds for every record that is imported. Others are generated too, and do not count. */
function assertOfBuilt(
  object: SourceObjectName,
  holds: (built: Built, described: readonly FieldDescription[], record: SourceRecord) => void,
): void {
  fc.assert(
    fc.property(describedRecord(object), ([described, record]) => {
      const built = build(object, described, record);
      fc.pre(built !== null);
      holds(built, described, record);
    }),
    RUNS,
  );
}

const equal = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const spelled = (value: unknown) =>
  asText(value)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
const momentOf = (value: unknown) => Date.parse(asText(value));

/** Whether a column says the same as a value of the source. */
function says(column: unknown, value: unknown): boolean {
  if (column === null || column === undefined) return false;
  const clean = cleanJson(value);
  if (equal(column, clean) || asText(column) === asText(clean)) return true;
  if (typeof column === "number" || typeof value === "number") return Number(column) === Number(value);
  return spelled(column) === spelled(clean) || momentOf(column) === momentOf(value);
}

/** Fields whose value is said in another way: by the kind of an entry, its time, its visibility or its author. */
const SAID_OTHERWISE: Record<string, (row: Built["row"], value: unknown) => boolean> = {
  Incoming: ({ kind }, value) => kind === (value === true ? "email_inbound" : "email_outbound"),
  MessageDate: ({ created_at }, value) => momentOf(created_at) === momentOf(value),
  Visibility: ({ is_public }, value) => is_public === (value === "AllUsers"),
  FromName: ({ author_name }, value) => says(author_name, value),
};

const STAMPS: Record<string, string> = { CreatedDate: "created_at", LastModifiedDate: "updated_at" };

function isKept(built: Built, name: string, value: unknown): boolean {
  const { row, plan } = built;
  if (equal(row.custom_fields[name], cleanJson(value)) || SAID_OTHERWISE[name]?.(row, value)) return true;
  const mapping: Mapping | undefined = plan.shape.fields[name] ?? plan.shape.fixed[name];
  return mapping !== undefined && (says(row[mapping.target ?? ""], value) || isReferredTo(row, value));
}

/** An id stands in the reference of its object; a second one for the same column is its fallback. */
function isReferredTo({ fallbacks = {}, ...columns }: Built["row"], value: unknown): boolean {
  const ids = [...Object.values(columns), ...Object.values(fallbacks).map(({ extId }) => extId)];
  return ids.includes(value);
}

test.each(IMPORT_ORDER)("%s: every field has a target, is a custom field, or is left out with a reason", (object) => {
  const possible = new Set<string | null>(["custom_fields", "ext_id", "created_at", "updated_at", "owner_id"]);
  const source = SOURCE_OBJECTS[object];
  for (const target of possibleTargets(source)) possible.add(target);
  for (const { target } of Object.values(source.fixed)) possible.add(target);
  fc.assert(
    fc.property(describedRecord(object), ([described, record]) => {
      for (const field of described) {
        const suggestion = suggestTarget(source, field);
        const fit = fitOf(object, field, suggestion, [record]);
        expect(suggestion.target === null).toBe(fit.verdict === "left_out");
        const isNamed = suggestion.target === null ? Boolean(fit.reason) : possible.has(suggestion.target);
        expect([field.name, isNamed]).toEqual([field.name, true]);
      }
    }),
    RUNS,
  );
});

test.each(IMPORT_ORDER)("%s: no value is lost that the report does not name as left out", (object) => {
  assertOfBuilt(object, (built, described, record) => {
    const lost = described.filter((field) => {
      const value = record[field.name];
      if (value === null || suggestTarget(SOURCE_OBJECTS[object], field).target === null) return false;
      if (field.name === "Id") return built.row.ext_id !== value;
      const stamp = STAMPS[field.name];
      if (stamp !== undefined && momentOf(built.row[stamp]) === momentOf(value)) return false;
      return !isKept(built, field.name, value);
    });
    expect(lost.map(({ name, type }) => [name, type, record[name]])).toEqual([]);
  });
});

/** What a record without a value has: the status of its check box, the day of its creation. */
const STATUS_OF: Partial<Record<string, Record<string, (record: SourceRecord) => string>>> = {
  Case: { status: ({ IsClosed }) => (IsClosed === true ? "closed" : "new") },
  Opportunity: {
    stage: ({ IsClosed, IsWon }) =>
      IsClosed === true ? (IsWon === true ? "closed_won" : "closed_lost") : "prospecting",
    close_date: ({ CreatedDate }) => String(CreatedDate).slice(0, 10),
  },
  Lead: { status: ({ IsConverted }) => (IsConverted === true ? "converted" : "new") },
  Task: { status: ({ IsClosed }) => (IsClosed === true ? "completed" : "not_started") },
};

test.each(IMPORT_ORDER)("%s: no value is invented", (object) => {
  assertOfBuilt(object, (built, described, record) => {
    const { row, plan } = built;
    const names = new Set(described.map(({ name }) => name));
    const added = Object.keys(row.custom_fields).filter((name) => !names.has(name) && name !== "Owner.Name");
    expect(added).toEqual([]);
    const targets = new Set<string>(Object.keys(plan.shape.computed));
    for (const { name } of described)
      if (record[name] !== null) targets.add(plan.shape.fields[name]?.target ?? "custom_fields");
    const filled = plan.columns.filter(({ name }) => !targets.has(name));
    const expected = filled.map(({ name, filler }) => [name, STATUS_OF[object]?.[name]?.(record) ?? filler]);
    expect(filled.map(({ name }) => [name, row[name]])).toEqual(expected);
  });
});

test.each(IMPORT_ORDER)("%s: the verdict of a field agrees with what the import does", (object) => {
  assertOfBuilt(object, (built, described, record) => {
    fc.pre(built.plan.shape === SOURCE_OBJECTS[object]);
    for (const field of described) {
      const { sample } = fitOf(object, field, suggestTarget(SOURCE_OBJECTS[object], field), [record]);
      if (!sample || sample.values === 0) continue;
      // The status of a converted lead is no matter of its value alone.
      if (object === "Lead" && field.name === "Status") continue;
      const isKeptWhole = Object.hasOwn(built.row.custom_fields, field.name);
      expect([field.name, isKeptWhole]).toEqual([field.name, sample.unchanged === 0]);
    }
  });
});

test.each<[type: string, scale: number, target: string, value: unknown, verdict: string, ofType: string]>([
  ["currency", 2, "AnnualRevenue", 12.5, "fits", "fits"],
  ["currency", 3, "AnnualRevenue", 12.005, "converted", "converted"],
  ["string", 0, "AnnualRevenue", "12.50", "converted", "does_not_fit"],
  ["string", 0, "AnnualRevenue", "a lot", "does_not_fit", "does_not_fit"],
  ["double", 1, "NumberOfEmployees", 7, "fits", "converted"],
  ["boolean", 0, "NumberOfEmployees", null, "does_not_fit", "does_not_fit"],
])("a %s with %d decimals as %s, and the value %j: %s", (type, scale, name, value, verdict, ofType) => {
  const field = { name, label: name, type, custom: false, groupable: true, aggregatable: true, length: 0, scale };
  const described = { ...field, calculated: false, picklistValues: [] };
  const fit = fitOf("Account", described, suggestTarget(SOURCE_OBJECTS.Account, described), [{ [name]: value }]);
  expect([fit.verdict, fit.type]).toEqual([
    verdict === "fits" && ofType === "converted" ? "converted" : verdict,
    ofType,
  ]);
});

test("a text that is longer than clients may write fits, and the report says that it is kept whole", () => {
  const field = { name: "Industry", label: "Industry", type: "string", custom: false, groupable: true };
  const described = { ...field, calculated: false, aggregatable: true, length: 1000, scale: 0, picklistValues: [] };
  const suggestion = suggestTarget(SOURCE_OBJECTS.Account, described);
  const fit = fitOf("Account", described, suggestion, [{ Industry: "x".repeat(700) }, { Industry: "Energy" }]);
  expect(fit).toMatchObject({
    verdict: "fits",
    length: { source: 1000, target: 255, longest: 700, verdict: "longer" },
    sample: { values: 2, unchanged: 2 },
    reason: expect.stringContaining("kept whole"),
  });
  expect(fieldOf("accounts", "industry").kind).toBe("text");
});

test("an object whose toString is no function is judged as any other object", () => {
  const field = { name: "Email", label: "Email", type: "anyType", custom: false, groupable: false };
  const described = { ...field, calculated: false, aggregatable: false, length: 80, scale: 0, picklistValues: [] };
  const suggestion = suggestTarget(SOURCE_OBJECTS.Contact, described);
  const fit = fitOf("Contact", described, suggestion, [{ Email: { toString: 0 } }]);
  expect(fit).toMatchObject({ verdict: "does_not_fit", length: { longest: '{"toString":0}'.length } });
});
