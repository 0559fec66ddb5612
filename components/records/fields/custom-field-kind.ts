import { isDay } from "@/lib/input/calendar-day";

export type CustomFieldKind = "text" | "number" | "boolean" | "date" | "timestamp";

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * What a value of `custom_fields` is; null for a list or an object. The format of a text decides, since the type of the
 * Salesforce field is not stored.
 */
export function customFieldKind(value: unknown): CustomFieldKind | null {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (typeof value !== "string") return null;
  if (MOMENT.test(value) && !Number.isNaN(Date.parse(value))) return "timestamp";
  return isDay(value) ? "date" : "text";
}
