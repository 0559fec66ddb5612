import type { SourceField } from "@/lib/migration/objects/declaration";

/** The label of each value of a field, where it differs. */
export type Labels = ReadonlyMap<string, string>;

/** What people see in Salesforce in place of a value: the label of a picklist value, the name of a record type. */
export function labelsOf({ picklistValues = [] }: Pick<SourceField, "picklistValues">): Labels {
  return new Map(picklistValues.flatMap(({ value, label }) => (label && label !== value ? [[value, label]] : [])));
}
