import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { type Candidate, chosen, choose, ordered, winnerOf } from "@/lib/migration/duplicates/choose-value";
import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";

/** A record that is here, as JSON of its row. References are our ids. */
export type HereRow = Pick<Row, "id" | "ext_id" | "created_at" | "updated_at" | "owner_id" | "custom_fields"> &
  Record<string, unknown>;

/** Source id → id of the record here. */
export type References = ReadonlyMap<string, string>;

/** Kept from the record that stays. */
const OWN = new Set(["case_number"]);

/** The field of the source that names the currency of a record's amounts. Leads have no column for it. */
const CURRENCY = "CurrencyIsoCode";

/**
 * The row that rows of the source become together, the first of which stays. Pure, so that a repeated import makes the
 * same row. Where no value wins, it has that of the row that stays.
 */
export function mergeRows(plan: ShapePlan, rows: readonly [Row, ...Row[]], choices: DuplicateChoices): Row {
  const [first] = rows;
  const candidates = inOneCurrency(plan, rows.map(candidateOf), choices);
  const merged: Row = { ...first, source_digest: null, custom_fields: mergeCustomFields(candidates, choices) };
  for (const { name, filler } of columnsOf(plan))
    merged[name] = chosen(candidates, name, choices, filler) ?? candidates[0]?.values[name];
  for (const name of plan.references) {
    const source = ordered(candidates, winnerOf(choices, name), name).find(({ values }) => isOther(values[name], rows));
    merged[name] = source?.values[name];
    merged[`${name}_from`] = source?.values[`${name}_from`];
  }
  const latest = Math.max(...candidates.map(({ modifiedAt }) => modifiedAt));
  return { ...merged, updated_at: new Date(latest).toISOString() };
}

/**
 * The row that a record here becomes with rows of the source. Its references are our ids; those that lead nowhere are
 * kept in `custom_fields`.
 */
export function mergeInto(
  plan: ShapePlan,
  here: HereRow,
  rows: readonly Row[],
  references: References,
  choices: DuplicateChoices,
): Row {
  const others = rows.map((row) =>
    withoutItself(plan, row, (id) => !isOther(id, rows) || references.get(id) === here.id),
  );
  const sources = others.map((row) => candidateOf(resolved(plan, row, references)));
  const ours = { values: here, custom: here.custom_fields, isHere: true, modifiedAt: Date.parse(here.updated_at) };
  const candidates = inOneCurrency(plan, [...sources, ours], choices);
  const merged: Row = { ...here, custom_fields: mergeCustomFields(candidates, choices) };
  for (const { name, filler } of columnsOf(plan))
    merged[name] = chosen(candidates, name, choices, filler) ?? candidates.at(-1)?.values[name];
  for (const name of plan.references) merged[name] = chosen(candidates, name, choices, null) ?? null;
  return merged;
}

/** Whether a reference leads to another record than the one that the rows become together. */
function isOther(extId: unknown, rows: readonly Row[]): boolean {
  return typeof extId === "string" && rows.every((row) => row.ext_id !== extId);
}

/** A row without references to the record that it becomes a part of. */
function withoutItself(plan: ShapePlan, row: Row, isItself: (extId: string) => boolean): Row {
  const own = plan.references.filter((name) => typeof row[name] === "string" && isItself(row[name]));
  return own.length === 0 ? row : { ...row, ...Object.fromEntries(own.map((name) => [name, undefined])) };
}

/** A row with our ids in place of source ids. */
function resolved(plan: ShapePlan, row: Row, references: References): Row {
  const result: Row = { ...row, custom_fields: { ...row.custom_fields } };
  for (const name of plan.references) {
    const extId = row[name];
    if (typeof extId !== "string") continue;
    result[name] = references.get(extId) ?? null;
    if (result[name] === null) result.custom_fields[String(row[`${name}_from`])] = extId;
  }
  const number = row.case_number;
  if (typeof number === "string") result.custom_fields.CaseNumber ??= number;
  return result;
}

function columnsOf(plan: ShapePlan): { name: string; filler: unknown }[] {
  return [...plan.columns.filter(({ name }) => !OWN.has(name)), { name: "owner_id", filler: null }];
}

function candidateOf(row: Row): Candidate {
  return { values: row, custom: row.custom_fields, isHere: false, modifiedAt: Date.parse(row.updated_at) };
}

/**
 * An amount says nothing without its currency. So the currency is that of the amount that wins, and a record in another
 * one gives neither: ¥500,000,000 must not become $500,000,000.
 */
function inOneCurrency(
  { columns, fields, shape }: ShapePlan,
  candidates: readonly Candidate[],
  choices: DuplicateChoices,
): readonly Candidate[] {
  const amounts = columns.map(({ name }) => name).filter((name) => fieldOf(shape.resource, name).kind === "money");
  const [winner] = amounts.flatMap((name) => choose(candidates, name, choices, null, name) ?? []);
  const isTold = fields.some(({ source, target }) => source === CURRENCY || target === "currency");
  if (!winner || !isTold) return candidates;
  const emptied = Object.fromEntries(["currency", ...amounts].map((name) => [name, null]));
  return candidates.map((candidate) => {
    if (currencyOf(candidate) === currencyOf(winner)) return candidate;
    const { [CURRENCY]: _, ...custom } = candidate.custom;
    return { ...candidate, values: { ...candidate.values, ...emptied }, custom };
  });
}

function currencyOf({ values, custom }: Candidate): unknown {
  return values.currency ?? custom[CURRENCY] ?? null;
}

function mergeCustomFields(candidates: readonly Candidate[], choices: DuplicateChoices): Record<string, unknown> {
  const customs = candidates.map((candidate) => ({ ...candidate, values: candidate.custom }));
  const names = new Set(customs.flatMap(({ values }) => Object.keys(values)));
  // A value of null is kept, where no record has another.
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      chosen(customs, name, choices, null, CUSTOM_PREFIX + name) ?? valueIn(customs, name),
    ]),
  );
}

function valueIn(candidates: readonly Candidate[], name: string): unknown {
  return candidates.find(({ values }) => Object.hasOwn(values, name))?.values[name];
}
