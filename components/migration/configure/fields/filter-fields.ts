import type { FieldFilter } from "@/components/migration/configure/parts";
import { targetLabel } from "@/components/migration/report/findings";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { chosenTarget, fieldOf } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

type Choices = Pick<ObjectConfiguration, "fields" | "values">;

/** Whether a field belongs to each of the filters. */
const FILTERS: Record<FieldFilter, (field: FieldReport, choices: Choices, object: SourceObjectName) => boolean> = {
  all: () => true,
  changed: ({ source }, { fields, values }) => Object.hasOwn(fields, source) || Object.hasOwn(values, source),
  attention: (field, { fields }) =>
    field.fit?.verdict === "does_not_fit" && chosenTarget(field, fields) === field.target,
  custom: (field, { fields }) => chosenTarget(field, fields) === CUSTOM_FIELDS,
  out: (field, { fields }) => chosenTarget(field, fields) === null,
  required: (field, { fields }, object) => isRequired(object, chosenTarget(field, fields)),
};

/** Whether no record that an object becomes can be created without this field. */
export function isRequired(object: SourceObjectName, target: string | null): boolean {
  return target !== null && target !== CUSTOM_FIELDS && fieldOf(SOURCE_OBJECTS[object].resource, target).required;
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
  object: SourceObjectName,
  { show, search }: Wanted,
): FieldReport[] {
  const wanted = search.trim().toLowerCase();
  return fields.filter((field) => {
    if (!FILTERS[show](field, choices, object)) return false;
    if (wanted === "") return true;
    const target = chosenTarget(field, choices.fields);
    return `${field.label} ${field.source} ${target ?? ""} ${targetLabel(target)}`.toLowerCase().includes(wanted);
  });
}
