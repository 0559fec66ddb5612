import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { fieldOf, RECORD_FIELDS } from "@/lib/migration/configuration/mapping-rules";
import { cleanJson } from "@/lib/migration/objects/declaration";
import { isEmpty, parseMoment } from "@/lib/migration/pipeline/map/convert";
import type { PreviewedField, PreviewedRecord } from "@/lib/migration/preview/preview-schema";
import type { Rehearsed } from "@/lib/migration/preview/rehearse";
import type { View } from "@/lib/migration/preview/find-stored";
import type { FieldReport } from "@/lib/migration/report/report-schema";

type Json = PreviewedField["value"];

/** What is known beside a record itself. */
export interface Surroundings {
  /** The report's fields of the object, by name. */
  fields: ReadonlyMap<string, FieldReport>;
  /** The fields that the configuration leaves out. */
  leftOut: readonly string[];
  /** What became of the parents, by source id. */
  parents: ReadonlyMap<string, Rehearsed>;
  /** How many characters of a text are shown. */
  maxText: number;
}

/** Fields that say nothing about a record but whether it is read. */
const NOT_SHOWN = new Set(["attributes", "IsDeleted", "Id"]);

/** The fields of a record that have a value in the source. */
export function fieldsOf(rehearsed: Rehearsed, view: View | null, around: Surroundings): PreviewedField[] {
  const { source, plan } = rehearsed;
  const targets = new Map(plan.fields.map((field) => [field.source, field.target]));
  const leftOut = new Set(around.leftOut);
  const names = Object.keys(source).filter((name) => !NOT_SHOWN.has(name) && !isEmpty(source[name]));
  return names.flatMap((name) => {
    const target = leftOut.has(name) ? null : targetOf(rehearsed, name, targets);
    return target === undefined ? [] : fieldOfRecord(rehearsed, view, { name, target }, around);
  });
}

function fieldOfRecord(
  rehearsed: Rehearsed,
  view: View | null,
  { name, target }: { name: string; target: string | null },
  around: Surroundings,
): PreviewedField {
  const report = around.fields.get(name);
  const field = { source: name, label: report?.label ?? name, target, note: report?.note ?? null };
  const source_value = shown(rehearsed.source[name], around);
  if (target === null) return { ...field, source_value, value: null, change: "left_out" };
  if (!view) return { ...field, source_value, value: null, change: null };
  const value = valueOf(view, name, target);
  return {
    ...field,
    source_value,
    value: shown(value, around),
    change: changeOf(rehearsed, view, { name, target, value }),
  };
}

/** Where a field goes; undefined: it is no field of the object, but was read for the import's own use. */
function targetOf({ plan }: Rehearsed, name: string, targets: ReadonlyMap<string, string>): string | null | undefined {
  const fixed = (RECORD_FIELDS as Record<string, { target: string }>)[name] ?? plan.shape.fixed[name];
  return fixed ? fixed.target : targets.get(name);
}

function valueOf(view: View, name: string, target: string): unknown {
  return target === CUSTOM_FIELDS ? view.custom_fields[name] : view[target];
}

function changeOf(
  rehearsed: Rehearsed,
  view: View,
  { name, target, value }: { name: string; target: string; value: unknown },
): PreviewedField["change"] {
  if (target === CUSTOM_FIELDS) return "custom_field";
  if (target === "owner_id") return "owner";
  if (fieldOf(rehearsed.plan.shape.resource, target).references) return "link";
  const original = rehearsed.source[name];
  if (isSame(original, value)) return "same";
  if (!Object.hasOwn(view.custom_fields, name)) return "converted";
  if (isEmpty(value) || isFiller(rehearsed, target, value)) return "not_taken";
  return isBeginning(original, value) ? "shortened" : "replaced";
}

function isFiller({ plan }: Rehearsed, target: string, value: unknown): boolean {
  return plan.columns.some(({ name, filler }) => name === target && filler === value);
}

function isBeginning(original: unknown, value: unknown): boolean {
  return typeof original === "string" && typeof value === "string" && original.startsWith(value);
}

/** Whether two values are equal, or the same moment in two forms. */
function isSame(original: unknown, value: unknown): boolean {
  if (JSON.stringify(original) === JSON.stringify(value)) return true;
  const moment = parseMoment(original);
  return moment !== null && typeof value === "string" && Date.parse(value) === moment;
}

/** Fields here that have a value although no filled field of the source goes there. */
export function fillersOf(
  { source, plan }: Rehearsed,
  view: View | null,
  around: Surroundings,
): PreviewedRecord["fillers"] {
  if (!view) return [];
  const mapped = [...plan.fields, ...Object.entries(plan.shape.fixed).map(([name, to]) => ({ source: name, ...to }))];
  const given = new Set(mapped.filter((field) => !isEmpty(source[field.source])).map(({ target }) => target));
  return plan.columns
    .filter(({ name }) => !given.has(name) && !plan.emptied.has(name) && !isEmpty(view[name]) && view[name] !== false)
    .map(({ name }) => ({ field: name, value: shown(view[name], around) }));
}

/** A value for the answer; long ones are cut. */
export function shown(value: unknown, { maxText }: Surroundings): Json {
  if (isEmpty(value)) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > maxText) return `${(cleanJson(text.slice(0, maxText)) as string).toWellFormed()}…`;
  return cleanJson(value) as Json;
}
