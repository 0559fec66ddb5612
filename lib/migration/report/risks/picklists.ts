import { formatCount, wholeSum } from "@/lib/amounts";
import { isSourceObject, objectName } from "@/lib/migration/objects/source-object-names";
import type { RiskCheck } from "@/lib/migration/report/facts";
import type { FieldReport, Risk } from "@/lib/migration/report/report-schema";

export interface UsedValue {
  /** The API name of its field. */
  field: string;
  label: string;
  source: string;
  count: number | null;
  active: boolean;
  suggestion: string | null;
}

/** What is at risk in one field. */
interface FieldAtRisk {
  label: string;
  /** The values that the report lists. */
  listed: readonly UsedValue[];
  /** All of them, also those beyond the listed ones. */
  values: number;
  /** Null if they could not be counted, or not all of them. */
  records: number | null;
}

/** Values without an equivalent here, and inactive values that records still have; one finding of each per object. */
export const picklistValuesAtRisk: RiskCheck = ({ mappings }) =>
  Object.entries(mappings).flatMap(([object, { fields }]) => [
    ...unknownValues(object, fields.map(unknownOf).filter(isAtRisk)),
    ...inactiveValues(object, fields.map(inactiveOf).filter(isAtRisk)),
  ]);

function unknownOf(field: FieldReport): FieldAtRisk {
  const listed = unknownInUse(usedValues(field));
  const totals = field.fit?.picklist;
  return {
    label: field.label,
    listed,
    values: totals?.unknown_values ?? listed.length,
    records: totals ? totals.unknown : sumOf(listed),
  };
}

function inactiveOf(field: FieldReport): FieldAtRisk {
  const listed = inactiveInUse(usedValues(field));
  return {
    label: field.label,
    listed,
    values: listed.length,
    records: field.more_values ? null : sumOf(listed),
  };
}

function isAtRisk({ values }: FieldAtRisk): boolean {
  return values > 0;
}

/** The values of a field that records have, or may have. */
export function usedValues({ source: field, label, values = [] }: FieldReport): UsedValue[] {
  return values.filter(({ count }) => count === null || count > 0).map((value) => ({ ...value, field, label }));
}

/** Values without an equivalent here. */
export function unknownInUse(used: readonly UsedValue[]): UsedValue[] {
  return used.filter(({ suggestion }) => suggestion === null);
}

/** Values that can no longer be chosen in Salesforce, and have an equivalent here. */
export function inactiveInUse(used: readonly UsedValue[]): UsedValue[] {
  return used.filter(({ active, count, suggestion }) => !active && count !== null && suggestion !== null);
}

function sumOf(values: readonly UsedValue[]): number | null {
  return wholeSum(values.map(({ count }) => count));
}

/** Null for several fields: one record may have such values in each of them, or in one. */
function recordsOf(fields: readonly FieldAtRisk[]): number | null {
  const [only, ...others] = fields;
  return only && others.length === 0 ? only.records : null;
}

function valuesOf(fields: readonly FieldAtRisk[]): number {
  return fields.reduce((sum, { values }) => sum + values, 0);
}

function nameOf(object: string): string {
  return isSourceObject(object) ? objectName(object) : object;
}

/** “Status: Deferred, Parked; Priority: Critical” */
function named(fields: readonly FieldAtRisk[]): string {
  return fields.map(({ label, ...found }) => `${label}: ${examplesOf(found)}`).join("; ");
}

function examplesOf({ listed, values }: Omit<FieldAtRisk, "label">): string {
  const names = listed.slice(0, 3).map(({ source }) => `“${source}”`);
  return [...names, ...(values > names.length ? ["…"] : [])].join(", ");
}

function unknownValues(object: string, fields: readonly FieldAtRisk[]): Risk[] {
  if (fields.length === 0) return [];
  const values = valuesOf(fields);
  return [
    {
      severity: "warning",
      code: "picklist_values_unknown",
      object,
      count: recordsOf(fields),
      title: `${nameOf(object)}: ${formatCount(values, "picklist value has", "picklist values have")} no equivalent`,
      detail:
        `${named(fields)}. Unless you choose one, such records get the value that new records begin with, or none; ` +
        "those that Salesforce marks as closed or converted get one that says so. All keep the original as a custom " +
        "field.",
      recommended_action: "Choose an equivalent for each value in the next step.",
    },
  ];
}

function inactiveValues(object: string, fields: readonly FieldAtRisk[]): Risk[] {
  if (fields.length === 0) return [];
  const values = valuesOf(fields);
  return [
    {
      severity: "info",
      code: "picklist_values_inactive",
      object,
      count: recordsOf(fields),
      title:
        `${nameOf(object)}: ${formatCount(values, "inactive picklist value is", "inactive picklist values are")} ` +
        "still in use",
      detail:
        `${named(fields)}. They can no longer be chosen in Salesforce, but records have them. They are migrated like ` +
        "all others.",
      recommended_action: "Check in the next step what each value becomes.",
    },
  ];
}
