import { fieldsToRead } from "@/components/records/fields/fields-to-read";
import {
  changeableFields,
  customField,
  type CustomInput,
  customInputs,
  inputOfSame,
} from "@/components/records/form/custom-inputs";
import type { AnyRecord, SomeFields } from "@/components/records/record";
import { fromLocalTime, toLocalTime } from "@/components/ui/text/time-zone";
import type { Field } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What inputs hold: texts, and whether boxes are checked. One that the form no longer has holds undefined. */
export type FormValues = Record<string, string | boolean | undefined>;

/** Each custom field has an input of its own. An external id belongs to whoever imports. */
const ELSEWHERE = new Set(["custom_fields", "ext_id"]);

/** The fields of our own that a form has, in the order in which people read them. */
export function formFields(resource: ResourceName): [name: string, field: Field][] {
  return fieldsToRead(resource).filter(([name, field]) => !field.readOnly && !ELSEWHERE.has(name));
}

/** A field as a form offers it: without the value that only an action sets, unless the action has set it in `item`. */
export function offered(name: string, field: Field, item?: SomeFields): Field {
  const { values, ofAction } = field;
  if (ofAction === undefined || item?.[name] === ofAction || item?.is_escalated === true) return field;
  return { ...field, values: values?.filter((value) => value !== ofAction) ?? [] };
}

/** The values of a record as inputs hold them: those of its own fields, then those of custom fields. */
export function valuesOf(resource: ResourceName, item: Partial<AnyRecord>): FormValues {
  const own = formFields(resource).map(([name, field]) => [name, shownIn(field, item[name])]);
  const custom = changeableFields(item.custom_fields ?? {}).map(([{ input, kind }, value]) => [
    input,
    shownIn(customField(kind), typeof value === "boolean" ? YES_NO[Number(value)] : value),
  ]);
  return Object.fromEntries([...own, ...custom]) as FormValues;
}

const YES_NO = ["no", "yes"];

/** The values of a record that is to be created: its defaults, and what is `given`. */
export function initialValues(resource: ResourceName, given: Readonly<Record<string, string>>): FormValues {
  const entries = formFields(resource).map(([name, field]) => [name, given[name] ?? field.default]);
  return valuesOf(resource, Object.fromEntries(entries) as Partial<AnyRecord>);
}

function shownIn({ kind }: Field, value: unknown): string | boolean {
  if (kind === "boolean") return value === true;
  if (value === null || value === undefined) return "";
  return kind === "timestamp" ? toLocalTime(String(value)) : String(value);
}

/** The fields whose value differs from that of `known`, as the API takes them. */
export function changesOf(
  resource: ResourceName,
  known: Partial<AnyRecord>,
  values: FormValues,
): Record<string, unknown> {
  const before = valuesOf(resource, known);
  const changed = formFields(resource).filter(([name]) => values[name] !== before[name]);
  const own = Object.fromEntries(changed.map(([name, field]) => [name, toJson(field, values[name])]));
  return { ...own, ...customChanges(before, values) };
}

/**
 * What the API takes to create a record: no field that is empty. A task without a status is still to do: no list of
 * open tasks would have it otherwise.
 */
export function creationOf(resource: ResourceName, values: FormValues): Record<string, unknown> {
  const filled = formFields(resource).filter(([name, { required }]) => values[name] !== "" || required);
  const own = Object.fromEntries(filled.map(([name, field]) => [name, toJson(field, values[name])]));
  const isToDo = resource === "activities" && own.type === "task" && own.completed_at === undefined;
  return { ...(isToDo && { status: "not_started" }), ...own, ...customChanges({}, values) };
}

/** The custom fields that differ. The API keeps those that it is not given, and removes those with null. */
function customChanges(before: FormValues, values: FormValues): { custom_fields?: Record<string, unknown> } {
  const unshown = Object.keys(before).filter((input) => !(input in values));
  const valueBefore = (input: string) => before[input] ?? before[inputOfSame(unshown, input)] ?? "";
  const changed = customInputs(values).filter(({ input }) => values[input] !== valueBefore(input));
  if (changed.length === 0) return {};
  return { custom_fields: Object.fromEntries(changed.map((custom) => [custom.name, customJson(custom, values)])) };
}

function customJson({ input, kind }: CustomInput, values: FormValues): unknown {
  const value = toJson(customField(kind), values[input]);
  return kind === "boolean" && value !== null ? value === "yes" : value;
}

const NUMBERS = new Set<Field["kind"]>(["money", "integer"]);

/** The value of an input as the API takes it, which refuses what is no value of the field, and says so at its place. */
export function toJson({ kind, nullable }: Field, value: string | boolean | undefined): unknown {
  if (typeof value !== "string") return value === true;
  if (value.trim() === "") return nullable ? null : "";
  if (NUMBERS.has(kind)) return numberOf(value);
  return kind === "timestamp" ? fromLocalTime(value) : value;
}

/** A number as the pages write it: "12,500.50". */
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A text that is no number stays as it is: where a comma may stand for a decimal point, nothing is guessed. */
function numberOf(text: string): number | string {
  const trimmed = text.trim();
  const number = Number(GROUPED.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed);
  return Number.isFinite(number) ? number : text;
}
