import type { Org } from "../generator/population";

export type Json = string | number | boolean | null | { readonly [key: string]: Json } | readonly Json[];

export type FieldType =
  | "id"
  | "string"
  | "textarea"
  | "picklist"
  | "multipicklist"
  | "combobox"
  | "reference"
  | "boolean"
  | "int"
  | "double"
  | "currency"
  | "percent"
  | "date"
  | "datetime"
  | "phone"
  | "email"
  | "url"
  | "address"
  | "base64"
  | "complexvalue";

interface PicklistValue {
  readonly value: string;
  readonly label: string;
  readonly active: boolean;
  readonly defaultValue: boolean;
}

/** One field of an object: its describe, and its value as a function of org and ordinal. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
  readonly digits: number;
  readonly nillable: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  readonly defaultedOnCreate: boolean;
  readonly custom: boolean;
  readonly unique: boolean;
  readonly externalId: boolean;
  readonly idLookup: boolean;
  readonly nameField: boolean;
  readonly autoNumber: boolean;
  readonly calculated: boolean;
  readonly calculatedFormula: string | null;
  readonly htmlFormatted: boolean;
  readonly filterable: boolean;
  readonly restrictedPicklist: boolean;
  readonly picklistValues: readonly PicklistValue[];
  readonly referenceTo: readonly string[];
  readonly relationshipName: string | null;
  readonly cascadeDelete: boolean;
  readonly compoundFieldName: string | null;
  readonly extraTypeInfo: string | null;
  readonly inlineHelpText: string | null;
  readonly value: (org: Org, ordinal: number) => Json;
}

export type FieldOptions = Partial<Omit<Field, "name" | "type" | "value" | "picklistValues">> & {
  /** A leading `*` marks the default value, `-` an inactive one. */
  readonly picklist?: readonly string[];
};

const LENGTHS: Partial<Record<FieldType, number>> = {
  id: 18,
  reference: 18,
  string: 255,
  textarea: 255,
  picklist: 255,
  combobox: 255,
  phone: 40,
  email: 80,
  url: 255,
  multipicklist: 4099,
};
const PRECISIONS: Partial<Record<FieldType, readonly [number, number]>> = {
  double: [18, 2],
  currency: [18, 2],
  percent: [3, 0],
};

function labelOf(name: string, type: FieldType): string {
  const bare = name.replace(/^[a-z]+__(?=.*__)/, "").replace(/__(c|pc)$/, "");
  const words = bare.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return type === "reference" && words !== "Id" ? words.replace(/ Id$/, " ID") : words;
}

function toPicklistValue(written: string): PicklistValue {
  const value = written.replace(/^[*-]/, "");
  return { value, label: value, active: !written.startsWith("-"), defaultValue: written.startsWith("*") };
}

function relationshipOf(name: string, type: FieldType): string | null {
  if (type !== "reference") return null;
  return name.endsWith("__c") ? name.replace(/__c$/, "__r") : name.replace(/Id$/, "");
}

/** The describe of an ordinary field of that type. */
function defaultsOf(type: FieldType, name: string): Omit<Field, "name" | "type" | "value" | "picklistValues"> {
  const [precision, scale] = PRECISIONS[type] ?? [0, 0];
  const writable = type !== "id" && type !== "address";
  return {
    label: labelOf(name, type),
    length: LENGTHS[type] ?? 0,
    precision,
    scale,
    digits: type === "int" ? 8 : 0,
    nillable: type !== "boolean" && type !== "id",
    createable: writable,
    updateable: writable,
    defaultedOnCreate: type === "boolean" || type === "id",
    custom: /__(c|pc)$/.test(name),
    unique: false,
    externalId: false,
    idLookup: type === "id",
    nameField: false,
    autoNumber: false,
    calculated: false,
    calculatedFormula: null,
    htmlFormatted: false,
    filterable: true,
    restrictedPicklist: false,
    referenceTo: [],
    relationshipName: relationshipOf(name, type),
    cascadeDelete: false,
    compoundFieldName: null,
    extraTypeInfo: type === "textarea" ? "plaintextarea" : null,
    inlineHelpText: null,
  };
}

/** Declares a field. `options` lists how it differs from an ordinary field of that type. */
export function field(type: FieldType, name: string, value: Field["value"], options: FieldOptions = {}): Field {
  const { picklist = [], ...rest } = options;
  const made = { name, type, value, picklistValues: picklist.map(toPicklistValue), ...defaultsOf(type, name), ...rest };
  return isLongText(made) ? { ...made, filterable: false } : made;
}

/** Values of fields that are always empty. Writers compare these by identity instead of reading each record. */
export const always = { null: (): null => null, false: (): false => false } as const;

/** A field that is always empty in this org. */
export function empty(type: FieldType, name: string, options: FieldOptions = {}): Field {
  return field(type, name, type === "boolean" ? always.false : always.null, options);
}

/** Options of a field that only the system writes. */
export const READ_ONLY = { createable: false, updateable: false } as const;
/** Options of a field that is required on create. */
export const REQUIRED = { nillable: false } as const;

/** True for long text areas, which can be neither filtered nor sorted. */
export function isLongText({ type, length }: Pick<Field, "type" | "length">): boolean {
  return type === "textarea" && length > 255;
}
