import { isMigrated, objectName } from "@/lib/migration/objects/migrated-objects";
import type { RiskCheck } from "@/lib/migration/report/facts";
import type { FieldReport, Risk } from "@/lib/migration/report/report-schema";
import { counted } from "@/lib/migration/report/wording";

export interface UsedValue {
  /** The API name of its field. */
  field: string;
  label: string;
  source: string;
  count: number | null;
  active: boolean;
  suggestion: string | null;
}

/** Values without an equivalent here, and inactive values that records still have; one finding of each per object. */
export const picklistValuesAtRisk: RiskCheck = ({ mappings }) =>
  Object.entries(mappings).flatMap(([object, { fields }]) => {
    const used = fields.flatMap(usedValues);
    return [...unknownValues(object, used), ...inactiveValues(object, used)];
  });

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

function sumOf(values: readonly UsedValue[]): number {
  return values.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

function nameOf(object: string): string {
  return isMigrated(object) ? objectName(object) : object;
}

/** “Status: Deferred, Parked; Priority: Critical” */
function named(values: readonly UsedValue[]): string {
  const labels = [...new Set(values.map(({ label }) => label))];
  return labels.map((label) => `${label}: ${listed(values.filter((value) => value.label === label))}`).join("; ");
}

function listed(values: readonly UsedValue[]): string {
  const names = values.slice(0, 3).map(({ source }) => `“${source}”`);
  return `${names.join(", ")}${values.length > names.length ? ", …" : ""}`;
}

function unknownValues(object: string, used: readonly UsedValue[]): Risk[] {
  const values = unknownInUse(used);
  if (values.length === 0) return [];
  return [
    {
      severity: "warning",
      code: "picklist_values_unknown",
      object,
      count: sumOf(values),
      title: `${nameOf(object)}: ${counted(values.length, "picklist value has", "picklist values have")} no equivalent`,
      detail:
        `${named(values)}. Unless you choose one, such records get the value that new records begin with, or none, ` +
        "and keep the original as a custom field.",
      recommended_action: "Choose an equivalent for each value in the next step.",
    },
  ];
}

function inactiveValues(object: string, used: readonly UsedValue[]): Risk[] {
  const values = inactiveInUse(used);
  if (values.length === 0) return [];
  return [
    {
      severity: "info",
      code: "picklist_values_inactive",
      object,
      count: sumOf(values),
      title:
        `${nameOf(object)}: ${counted(values.length, "inactive picklist value is", "inactive picklist values are")} ` +
        "still in use",
      detail:
        `${named(values)}. They can no longer be chosen in Salesforce, but records have them. They are migrated like ` +
        "all others.",
      recommended_action: "Check in the next step what each value becomes.",
    },
  ];
}
