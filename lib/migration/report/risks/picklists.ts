import { counted, type RiskCheck } from "@/lib/migration/report/risk-check";
import type { FieldReport, Risk } from "@/lib/migration/schemas";

/** Values without an equivalent here, and inactive values that records still hold. */
export const picklistValuesAtRisk: RiskCheck = ({ mappings }) =>
  Object.entries(mappings).flatMap(([object, { fields }]) =>
    fields.flatMap((field) => [...unknownValues(object, field), ...inactiveValues(object, field)]),
  );

function usedValues(field: FieldReport) {
  return (field.values ?? []).filter(({ count }) => count === null || count > 0);
}

function sumOf(values: { count: number | null }[]): number {
  return values.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

function quoted(values: { source: string }[]): string {
  const names = values.slice(0, 3).map(({ source }) => `“${source}”`);
  return `${names.join(", ")}${values.length > names.length ? ", …" : ""}`;
}

function unknownValues(object: string, field: FieldReport): Risk[] {
  const values = usedValues(field).filter(({ suggestion }) => suggestion === null);
  if (values.length === 0) return [];
  return [
    {
      severity: "warning",
      code: "picklist_values_unknown",
      object,
      count: sumOf(values),
      title: `${object} ${field.label}: ${counted(values.length, "value has", "values have")} no equivalent`,
      detail: `${quoted(values)} of ${field.label} means nothing here. Without your choice such records get the default, and the original value is kept in custom_fields.`,
      remedy: "Choose an equivalent for each value in the next step.",
    },
  ];
}

function inactiveValues(object: string, field: FieldReport): Risk[] {
  const values = usedValues(field).filter(({ active, count, suggestion }) => !active && count !== null && suggestion !== null);
  if (values.length === 0) return [];
  return [
    {
      severity: "info",
      code: "picklist_values_inactive",
      object,
      count: sumOf(values),
      title: `${object} ${field.label}: ${counted(values.length, "inactive value is", "inactive values are")} still in use`,
      detail: `${quoted(values)} can no longer be chosen in Salesforce, but records hold it. They are migrated like all others.`,
      remedy: "Look at what each value becomes in the next step.",
    },
  ];
}
