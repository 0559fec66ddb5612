import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { queryLong } from "@/lib/migration/long-statements";
import { asText, type Draft } from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import type { Comparing, ComparingFields } from "@/lib/migration/proof/compare-ids";
import { notKept } from "@/lib/migration/proof/kept-records";
import { type Comparison, MAX_SHOWN_DIFFERENCES } from "@/lib/migration/proof/proof-schema";
import { isInSource } from "@/lib/migration/proof/records-not-in-source";
import { MAX_CURRENCIES, type Totals } from "@/lib/migration/proof/source-sums";
import type { ResourceName } from "@/lib/records/schema/resources";
import { query, type SourceRecord, select } from "@/lib/salesforce/query";

/** A mapped field of the source. */
export interface ComparedField {
  source: string;
  /** A column, or `custom_fields`. */
  target: string;
  place(value: unknown, draft: Draft): void;
}

/** What the sums of the source have to be corrected by. */
export interface Corrections {
  /** Records whose own values are not here: left out, merged into another, or joined by others. */
  others: readonly SourceRecord[];
  /** What records that were joined by others have become, with the values that are stored. */
  become: readonly SourceRecord[];
}

/** The maximum of groups that Salesforce returns for an aggregate query. */
const MAX_GROUPS = 2000;

/** JSON numbers have 15 exact digits, and sums of many amounts differ in the last ones by the order of addition. */
const TOLERANCE = 1e-13;

/** Less than the smallest unit of an amount. */
const MIN_DIFFERENCE = 0.005;

/** Texts that PostgreSQL can add up: somebody may have edited an amount here to "tbd", or to one that no sum holds. */
const NUMBER = String.raw`^[+-]?\d{1,100}(\.\d{1,100})?([eE][+-]?\d{1,2})?$`;

function add(totals: Totals, key: string | null, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount);
}

/**
 * SQL for a value as text: the original that is kept beside a converted one, or else the column. `name`: the parameter
 * with the name of the source field, which is not ours.
 */
function valueText({ target }: ComparedField, name: string): string {
  const kept = `custom_fields ->> ${name}::text`;
  return target === CUSTOM_FIELDS ? kept : `coalesce(${kept}, ${target}::text)`;
}

function compare(field: string, source: Totals, here: Totals): Comparison {
  const keys = [...new Set([...source.keys(), ...here.keys()])];
  const differences = keys
    .map((key) => ({ key, source: source.get(key) ?? 0, here: here.get(key) ?? 0 }))
    // What is not a number is not within it either.
    .filter((one) => !(Math.abs(one.source - one.here) <= MIN_DIFFERENCE + TOLERANCE * Math.abs(one.source)));
  return {
    field,
    compared: keys.length,
    different: differences.length,
    differences: differences.slice(0, MAX_SHOWN_DIFFERENCES),
    not_compared_because: null,
  };
}

export function notCompared(field: string, reason: string): Comparison {
  return { field, compared: 0, different: 0, differences: [], not_compared_because: reason };
}

/** Compares the sum of an amount with that of the source, by currency if records have one (`currency`: its field). */
export async function compareAmount(
  comparing: ComparingFields,
  field: ComparedField,
  currency: ComparedField | null,
  { others, become }: Corrections,
): Promise<Comparison> {
  const { plan, key, sums } = comparing;
  const source = sums ? sums.totalsOf(field.source) : await askForSum(comparing, field);
  if (!source) return notCompared(field.source, `It has amounts in more than ${MAX_CURRENCIES} currencies.`);
  const keyOf = (record: SourceRecord) => (currency ? String(record[currency.source]) : null);
  const addAll = (records: readonly SourceRecord[], sign: 1 | -1) => {
    for (const record of records.filter((one) => textOf(one[field.source]) !== null))
      add(source, keyOf(record), sign * Number(record[field.source]));
  };
  addAll(others, -1);
  addAll(become, 1);
  const amount = valueText(field, "$3");
  const rows = await queryLong<{ key: string | null; total: number }>(
    `SELECT ${currency ? valueText(currency, "$4") : "$4::text"} AS key, sum((${amount})::numeric)::float8 AS total
     FROM ${plan.main.shape.resource} r
     WHERE organization_id = $1 AND starts_with(ext_id, $2) AND ${amount} ~ '${NUMBER}' AND ${notKept("r", "$5", "$6")}
       AND ${isInSource("r", "$7")}
     GROUP BY 1`,
    [
      key.organizationId,
      KEY_PREFIXES[plan.object.name],
      field.source,
      currency?.source ?? null,
      key.migrationId,
      plan.object.name,
      comparing.notInSource,
    ],
  );
  return compare(field.source, source, new Map(rows.map((row) => [row.key, row.total])));
}

/** The sum of an amount as Salesforce adds it up, in an org with one currency. */
async function askForSum({ client, plan: { object }, window }: Comparing, { source }: ComparedField): Promise<Totals> {
  const soql = select({
    fields: [`SUM(${source}) total`],
    from: object.name,
    where: [...conditionsOf(object.name, window), `${source} != null`],
  });
  const [answer] = (await query(client, soql, { all: true })).records;
  return new Map(textOf(answer?.total) === null ? [] : [[null, Number(answer?.total)]]);
}

/** Compares the number of records for each value of a picklist with the source. */
export async function comparePicklist(
  { client, plan, window, key, notInSource }: ComparingFields,
  field: ComparedField,
  { others, become }: Corrections,
): Promise<Comparison> {
  const soql = select({
    fields: [field.source, "COUNT(Id) records"],
    from: plan.object.name,
    where: conditionsOf(plan.object.name, window),
    groupBy: [field.source],
    limit: MAX_GROUPS,
  });
  const { records } = await query(client, soql, { all: true });
  if (records.length >= MAX_GROUPS) return notCompared(field.source, `It has more than ${MAX_GROUPS} values.`);
  const source: Totals = new Map();
  for (const group of records) add(source, storedAs(field, group[field.source]), Number(group.records));
  for (const record of others) add(source, storedAs(field, record[field.source]), -1);
  for (const record of become) add(source, textOf(record[field.source]), 1);
  if ((source.get(null) ?? 0) > 0 && hasDefault(plan.main.shape.resource, field))
    return notCompared(field.source, "Some records have no value in Salesforce, and may have a default here.");
  source.delete(null);
  const value = valueText(field, "$3");
  const rows = await queryLong<{ value: string; records: number }>(
    `SELECT ${value} AS value, count(*)::int AS records FROM ${plan.main.shape.resource} r
     WHERE organization_id = $1 AND starts_with(ext_id, $2) AND ${value} IS NOT NULL AND ${notKept("r", "$4", "$5")}
       AND ${isInSource("r", "$6")}
     GROUP BY 1`,
    [key.organizationId, KEY_PREFIXES[plan.object.name], field.source, key.migrationId, plan.object.name, notInSource],
  );
  return compare(field.source, source, new Map(rows.map((row) => [row.value, row.records])));
}

/** Whether a record without a value in the source may have one here. */
function hasDefault(resource: ResourceName, { target }: ComparedField): boolean {
  return target !== CUSTOM_FIELDS && fieldOf(resource, target).kind === "enum";
}

/** The text under which a value of the source is found here: itself if it is kept, or else the value of the column. */
function storedAs(field: ComparedField, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const draft: Draft = { columns: {}, references: {}, customFields: {} };
  field.place(value, draft);
  return textOf(draft.customFields[field.source] ?? draft.columns[field.target]);
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : asText(value);
}
