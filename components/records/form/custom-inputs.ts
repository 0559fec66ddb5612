import { type CustomFieldKind, customFieldKind } from "@/components/records/fields/custom-field-kind";
import { isMachineValue, OWNER_NAME } from "@/components/records/fields/technical-fields";
import { date, enumeration, type Field, longText, money, text, timestamp } from "@/lib/records/schema/field";

/** A custom field of a form: the name of its input, its own name, and what it is. */
export interface CustomInput {
  input: string;
  name: string;
  kind: CustomFieldKind;
}

/** How each kind is entered. Yes and no are words to choose from: a box to tick could not be left empty. */
const FIELDS: Record<CustomFieldKind, Field> = {
  text: text(),
  number: money(),
  boolean: enumeration("text", { yes: "yes", no: "no" }),
  date: date(),
  timestamp: timestamp(),
};

const MAX_LINE = 80;

/**
 * A custom field as a form declares its own: a text that does not fit into a line, when the form is opened, gets
 * several.
 */
export function customField(kind: CustomFieldKind, atFirst?: unknown): Field {
  const isLong = typeof atFirst === "string" && (atFirst.length > MAX_LINE || /[\r\n]/.test(atFirst));
  return kind === "text" && isLong ? longText() : FIELDS[kind];
}

/** The input of a custom field. Its name has no dot and no slash, which separate the parts of paths and pointers. */
export function customInput(kind: CustomFieldKind, name: string): CustomInput {
  return { input: `custom:${kind}:${encodeURIComponent(name).replaceAll(".", "%2E")}`, name, kind };
}

/** The custom field of an input; null if it is of one of our own fields. */
export function customInputOf(input: string): CustomInput | null {
  const [, kind, name] = /^custom:(\w+):(.+)$/.exec(input) ?? [];
  return name === undefined ? null : { input, name: decodeURIComponent(name), kind: kind as CustomFieldKind };
}

/**
 * The input among `inputs` that is of the same custom field, though of another kind: others may have given it a value
 * of that. Otherwise the input itself.
 */
export function inputOfSame(inputs: readonly string[], input: string): string {
  const name = customInputOf(input)?.name;
  if (name === undefined || inputs.includes(input)) return input;
  return inputs.find((other) => customInputOf(other)?.name === name) ?? input;
}

/** The custom fields among the values of a form, but for inputs that it no longer has. */
export function customInputs(values: object): CustomInput[] {
  return Object.entries(values).flatMap(([input, value]) => (value === undefined ? [] : (customInputOf(input) ?? [])));
}

/** The custom fields that people can change, with their values: no list, no object, and nothing for machines. */
export function changeableFields(values: Readonly<Record<string, unknown>>): [CustomInput, value: unknown][] {
  return Object.entries(values).flatMap(([name, value]): [CustomInput, unknown][] => {
    const kind = customFieldKind(value);
    return kind === null || name === OWNER_NAME || isMachineValue(name, value)
      ? []
      : [[customInput(kind, name), value]];
  });
}
