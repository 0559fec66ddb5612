import type { FieldFilter } from "@/components/migration/configure/parts";
import { targetLabel } from "@/components/migration/report/findings";
import { CUSTOM_FIELDS, type ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { chosenTarget, fieldOf } from "@/lib/migration/configuration/mapping-rules";
import type { ImportedResource } from "@/lib/migration/objects/declaration";
import type { FieldReport } from "@/lib/migration/report/report-schema";

type Choices = Pick<ObjectConfiguration, "fields" | "values">;

/** Whether a field belongs to each of the filters. */
const FILTERS: Record<FieldFilter, (field: FieldReport, choices: Choices, resource: ImportedResource) => boolean> = {
  all: () => true,
  changed: ({ source }, { fields, values }) => Object.hasOwn(fields, source) || Object.hasOwn(values, source),
  attention: (field, { fields }) =>
    field.fit?.verdict === "does_not_fit" && chosenTarget(field, fields) === field.target,
  custom: (field, { fields }) => chosenTarget(field, fields) === CUSTOM_FIELDS,
  out: (field, { fields }) => chosenTarget(field, fields) === null,
  required: (field, { fields }, resource) => isRequired(resource, chosenTarget(field, fields)),
};

/** Whether no record of the resource can be created without this field. */
export function isRequired(resource: ImportedResource, target: string | null): boolean {
  return target !== null && target !== CUSTOM_FIELDS && fieldOf(resource, target).required;
}

interface Wanted {
  show: FieldFilter;
  /** A part of a label, of an API name, or of a target. */
  search: string;
}

/** The fields that the reader looks for, in the order of the report. */
export function filterFields(
  fields: readonly FieldReport[],
  choices: Choices,
  resource: ImportedResource,
  { show, search }: Wanted,
): FieldReport[] {
  const wanted = search.trim().toLowerCase();
  return fields.filter((field) => {
    if (!FILTERS[show](field, choices, resource)) return false;
    if (wanted === "") return true;
    const target = chosenTarget(field, choices.fields);
    return `${field.label} ${field.source} ${target ?? ""} ${targetLabel(target)}`.toLowerCase().includes(wanted);
  });
}
