import { isDeepStrictEqual } from "node:util";

import { BOOKKEEPING, moment, REPEATED, type Resource } from "@/tests/service/support/expected/expectation";
import type { SourceField, SourceRecord } from "@/tests/service/support/source-org";
import type { CrmRecord } from "@/tests/service/support/rest-client";

/** Columns of booleans, which would be found in any record by chance. */
const FLAGS: Partial<Record<Resource, Record<string, string>>> = {
  contacts: { DoNotCall: "do_not_call", HasOptedOutOfEmail: "email_opt_out" },
  cases: { IsEscalated: "is_escalated" },
  case_comments: { IsPublished: "is_public", IsExternallyVisible: "is_public" },
};

/** `Waiting on Customer` as a value of an enum: `waiting_on_customer`. */
function asChoice(value: string): string {
  return value.toLowerCase().replaceAll(" ", "_");
}

function isThread(record: CrmRecord): boolean {
  return typeof record.kind === "string" && record.kind.startsWith("email_");
}

function isFlagFound(resource: Resource, name: string, value: unknown, record: CrmRecord): boolean {
  if (name === "Incoming" && isThread(record))
    return record.kind === (value === true ? "email_inbound" : "email_outbound");
  return record[FLAGS[resource]?.[name] ?? "none"] === value;
}

/** The forms in which a column may contain a value of that field type. */
function formsOf(type: string, value: unknown): unknown[] {
  if (type === "datetime") return [moment(value)];
  return type === "picklist" ? [value, asChoice(String(value))] : [value];
}

/** Whether everybody or only insiders see a post is a column. */
function isVisibilityFound(value: unknown, record: CrmRecord): boolean {
  return record.is_public === (value === "AllUsers");
}

function isFound(resource: Resource, { name, type }: SourceField, value: unknown, record: CrmRecord): boolean {
  if (isDeepStrictEqual(record.custom_fields[name], value)) return true;
  if (name === "Visibility") return isVisibilityFound(value, record);
  if (type === "boolean") return isFlagFound(resource, name, value, record);
  // An id may be kept under another field's name: WhatId and the account that Salesforce derives from it can be the
  // same.
  if (type === "reference" && Object.values(record.custom_fields).includes(value)) return true;
  const forms = new Set(formsOf(type, value));
  return Object.values(record).some((column) => forms.has(column));
}

function words(texts: readonly unknown[]): string {
  return texts
    .flatMap((text) => (typeof text === "string" ? text.split(" ") : []))
    .toSorted()
    .join(" ");
}

/** The parts of a compound address are separate fields: `BillingAddress.postalCode` is `BillingPostalCode`. */
function partsAreFields(source: SourceRecord, field: string, address: object): boolean {
  const prefix = field.slice(0, -"Address".length);
  return Object.entries(address).every(([part, value]) => {
    const name = prefix + part.charAt(0).toUpperCase() + part.slice(1);
    return value === source[name] || (value === null && source[name] === undefined);
  });
}

/** A contact's name consists of its parts. */
function isMadeOfParts(source: SourceRecord): boolean {
  return words([source.Name]) === words([source.FirstName, source.MiddleName, source.LastName, source.Suffix]);
}

/**
 * The fields of a source record whose value is neither in a column of its record nor in `custom_fields` under the
 * field's name. It does not know which column a field belongs to. `record` has the source's ids as references.
 */
export function lostFields(
  resource: Resource,
  fields: readonly SourceField[],
  source: SourceRecord,
  record: CrmRecord,
): string[] {
  const isThere = (field: SourceField, value: unknown) => {
    if (REPEATED[resource]?.has(field.name)) return isMadeOfParts(source);
    if (typeof value === "object" && value !== null) return partsAreFields(source, field.name, value);
    return isFound(resource, field, value, record);
  };
  return fields
    .filter(
      (field) =>
        !BOOKKEEPING.has(field.name) && (source[field.name] ?? null) !== null && !isThere(field, source[field.name]),
    )
    .map(({ name }) => name);
}
