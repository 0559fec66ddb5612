import { isDeepStrictEqual } from "node:util";

import { BOOKKEEPING, moment, REPEATED, type Resource } from "@/tests/service/support/expected/expectation";
import type { SourceField, SourceRecord } from "@/tests/service/support/source-org";
import type { CrmRecord } from "@/tests/service/support/rest-client";

/** Where yes and no went, since they are found in any record by chance. */
const FLAGS: Partial<Record<Resource, Record<string, string>>> = {
  contacts: { DoNotCall: "do_not_call", HasOptedOutOfEmail: "email_opt_out" },
  cases: { IsEscalated: "is_escalated" },
  case_comments: { IsPublished: "is_public", IsExternallyVisible: "is_public" },
};

/** `Waiting on Customer` as an enum's value: `waiting_on_customer`. */
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

/** How a column may say the value of a field of a type. */
function formsOf(type: string, value: unknown): unknown[] {
  if (type === "datetime") return [moment(value)];
  return type === "picklist" ? [value, asChoice(String(value))] : [value];
}

function isFound(resource: Resource, { name, type }: SourceField, value: unknown, record: CrmRecord): boolean {
  if (isDeepStrictEqual(record.custom_fields[name], value)) return true;
  if (type === "boolean") return isFlagFound(resource, name, value, record);
  // An id is the same wherever it stands: what an activity is about and the account that Salesforce derives from it may
  // be one.
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

/** The parts of an address in one piece are fields of their own: `BillingAddress.postalCode` is `BillingPostalCode`. */
function partsAreFields(source: SourceRecord, field: string, address: object): boolean {
  const prefix = field.slice(0, -"Address".length);
  return Object.entries(address).every(([part, value]) => {
    const name = prefix + part.charAt(0).toUpperCase() + part.slice(1);
    return value === source[name] || (value === null && source[name] === undefined);
  });
}

/** A contact's name is made of its parts. */
function isMadeOfParts(source: SourceRecord): boolean {
  return words([source.Name]) === words([source.FirstName, source.MiddleName, source.LastName, source.Suffix]);
}

/**
 * The fields of a source record whose value is nowhere in the record that it became: neither in a column nor, under its
 * own name, in `custom_fields`. Knows nothing of where a field ought to be. `record` holds the source's ids as
 * references.
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
