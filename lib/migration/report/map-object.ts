import { isRead, suggestTarget, type TargetSuggestion } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { type Plan, planObject } from "@/lib/migration/pipeline/map/plan";
import { withSmallerPages } from "@/lib/migration/pipeline/read/smaller-pages";
import { readByFields } from "@/lib/migration/pipeline/read/split-by-fields";
import { fitOf } from "@/lib/migration/report/fields/field-fit";
import { fillRates } from "@/lib/migration/report/fields/fill-rates";
import { asMasked, maskedAmong } from "@/lib/migration/report/fields/masked-fields";
import { type RichText, richTextsIn } from "@/lib/migration/report/fields/rich-texts";
import { needsTranslation, picklistValues } from "@/lib/migration/report/measures/histogram";
import { measureStoring, type StoringMeasure } from "@/lib/migration/report/measures/measure-storing";
import { recordsByYear } from "@/lib/migration/report/measures/records-by-year";
import type { FieldReport, Fill, ObjectReport } from "@/lib/migration/report/report-schema";
import { migratedOf } from "@/lib/migration/report/survey";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject, type FieldDescription } from "@/lib/salesforce/describe";
import { query, type SourceRecord, select } from "@/lib/salesforce/query";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

/** The measurement of the sample, from which the estimate is calculated. */
export interface SampleMeasure {
  records: number;
  milliseconds: number;
  /** The length of the JSON of all sampled records. */
  characters: number;
  /** Null if it was not measured, absent from older drafts. */
  storing?: StoringMeasure | null;
}

export interface ObjectMapping {
  fields: FieldReport[];
  sample: SampleMeasure;
  /** Absent from older drafts. */
  created_by_year?: ObjectReport["created_by_year"];
  /** Absent from older drafts. */
  rich_texts?: RichText[];
}

const SAMPLE_RECORDS = 200;

/** The target of every field of an object, with samples from real records that are read as the import reads them. */
export async function mapObject(
  key: MigrationKey,
  client: SalesforceClient,
  object: SourceObjectName,
): Promise<ObjectMapping> {
  const { fields } = await describeObject(client, object);
  const masked = await maskedAmong(client, fields);
  const visible = fields.filter((field) => !masked.has(field));
  const plan = planObject(object, visible);
  const { records, sample } = await takeSample(client, object, plan);
  const mapped: FieldReport[] = [];
  const read = visible.filter((field) => isRead(field, SOURCE_OBJECTS[object].ignoredFields));
  const fills = await fillRates(client, object, read, records);
  for (const field of fields) {
    const found = await mapField({ client, object, records }, field, fills.get(field.name) ?? null);
    mapped.push(masked.has(field) ? asMasked(found) : found);
  }
  return {
    fields: mapped,
    sample: { ...sample, storing: await measureStoring(key, plan, records) },
    created_by_year: await recordsByYear(client, object),
    rich_texts: richTextsIn(read, records),
  };
}

async function takeSample(client: SalesforceClient, object: SourceObjectName, plan: Plan) {
  const read = {
    fields: plan.select,
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object)],
    orderBy: "Id DESC",
  };
  const taken = await withSmallerPages(SAMPLE_RECORDS, async (limit) => {
    // Each attempt has its own clock: one that Salesforce gave up after two minutes says nothing about a page.
    const started = performance.now();
    const { records } = await readByFields({}, read.fields, (fields, more) =>
      query(client, select({ ...read, fields, where: [...read.where, ...more], limit }), { all: true }),
    );
    return { records, milliseconds: Math.round(performance.now() - started) };
  }).catch(nullWhenUnanswered);
  const { records, milliseconds } = taken?.answer ?? { records: [], milliseconds: 0 };
  return { records, sample: { records: records.length, milliseconds, characters: JSON.stringify(records).length } };
}

const CALCULATED = "Calculated by Salesforce: its value comes along as it is at the run, and is not calculated here.";

/** The suggested target, with a note where the values will stand still. */
function suggestionFor(object: SourceObjectName, field: FieldDescription): TargetSuggestion {
  const suggestion = suggestTarget(SOURCE_OBJECTS[object], field);
  if (!field.calculated || suggestion.target === null) return suggestion;
  return { ...suggestion, note: suggestion.note === null ? CALCULATED : `${suggestion.note} ${CALCULATED}` };
}

interface Sampled {
  client: SalesforceClient;
  object: SourceObjectName;
  records: readonly SourceRecord[];
}

async function mapField(
  { client, object, records }: Sampled,
  field: FieldDescription,
  fill: Fill | null,
): Promise<FieldReport> {
  const suggestion = suggestionFor(object, field);
  const { target, confidence, note } = suggestion;
  const picklist = needsTranslation(object, field, target)
    ? await picklistValues(client, object, field, { resource: SOURCE_OBJECTS[object].resource, name: target })
    : undefined;
  return {
    source: field.name,
    label: field.label,
    type: field.type,
    custom: field.custom,
    calculated: field.calculated,
    target,
    confidence,
    note,
    samples: samplesOf(records, field.name),
    ...picklist?.listed,
    fill,
    fit: fitOf(object, field, suggestion, records, picklist?.totals),
  };
}

const MAX_SAMPLES = 3;

const MAX_SAMPLE_LENGTH = 80;

/** Up to three different values of a field, shortened to one line. */
function samplesOf(records: readonly SourceRecord[], field: string): string[] {
  const values = new Set<string>();
  for (const record of records) {
    const value = textOf(record[field]);
    if (value) values.add(value);
    if (values.size === MAX_SAMPLES) break;
  }
  return [...values];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replaceAll("\u0000", "").replaceAll(/\s+/g, " ").trim();
  if (line.length <= MAX_SAMPLE_LENGTH) return line;
  // Cuts by code points, so that no surrogate pair is split.
  return `${[...line].slice(0, MAX_SAMPLE_LENGTH - 1).join("")}…`;
}
