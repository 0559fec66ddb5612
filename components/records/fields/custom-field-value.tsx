import type { ReactNode } from "react";

import { isAddedField } from "@/components/records/fields/custom-field-label";
import { formatDay, formatMoment } from "@/components/ui/text/format";

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** How Salesforce writes the values of a multi-select picklist (REST API Developer Guide, "Field Types"): APAC;DACH. */
const SEVERAL = /^[^;\s][^;\n]*(;[^;\s][^;\n]*)+$/;
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** A value of `custom_fields` for display. Its format decides, since the type of the Salesforce field is not stored. */
export function customFieldValue(name: string, value: unknown): ReactNode {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return number.format(value);
  return typeof value === "string" ? textValue(name, value) : JSON.stringify(value);
}

function textValue(name: string, value: string): ReactNode {
  if (MOMENT.test(value) && isDate(value)) return <time dateTime={value}>{formatMoment(value)}</time>;
  if (DAY.test(value) && isDate(value)) return <time dateTime={value}>{formatDay(value)}</time>;
  if (isAddedField(name) && SEVERAL.test(value)) return value.replaceAll(";", " · ");
  return value;
}

function isDate(value: string): boolean {
  return !Number.isNaN(Date.parse(value));
}
