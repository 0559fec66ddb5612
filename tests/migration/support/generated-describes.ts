import * as fc from "fast-check";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

const ID = fc.constantFrom("001000000000001AAA", "003000000000002AAA", "500000000000003AAA", "a01000000000004AAA");
const MOMENT = fc
  .date({ min: new Date(0), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().replace("Z", "+0000"));
const TEXT = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
  fc.constantFrom("New", "Escalated", "true", "12", "1.005", "2024-02-30", "__proto__"),
);

/** Values of each type of field, as Salesforce returns them. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  string: TEXT,
  textarea: TEXT,
  picklist: TEXT,
  multipicklist: TEXT,
  combobox: TEXT,
  email: TEXT,
  url: TEXT,
  phone: TEXT,
  encryptedstring: TEXT,
  id: ID,
  reference: ID,
  boolean: fc.boolean(),
  int: fc.integer(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  currency: fc.double({ noNaN: true, min: -1e18, max: 1e18 }),
  percent: fc.double({ noNaN: true, min: -1000, max: 1000 }),
  date: MOMENT.map((moment) => moment.slice(0, 10)),
  datetime: MOMENT,
  time: MOMENT.map((moment) => moment.slice(11, 23)),
  address: fc.constant({ street: "Hauptstraße 1" }),
  location: fc.constant({ latitude: 1, longitude: 2 }),
  base64: fc.constant("/services/data/v67.0/sobjects/Attachment/00P/Body"),
  visibility: fc.constantFrom("AllUsers", "InternalUsers"),
  anyType: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
};

/** Standard fields that the import reads by name have the same type in every org. */
const SYSTEM_TYPES: Record<string, string> = {
  Id: "id",
  IsDeleted: "boolean",
  CreatedDate: "datetime",
  LastModifiedDate: "datetime",
  OwnerId: "reference",
  IsChild: "boolean",
  IsRecurrence: "boolean",
  IsClosed: "boolean",
  Incoming: "boolean",
  MessageDate: "datetime",
  CaseNumber: "string",
  FromName: "string",
  FromAddress: "string",
  TextBody: "textarea",
  HtmlBody: "textarea",
  CallDurationInSeconds: "int",
  Body: "textarea",
  CommentBody: "textarea",
  Title: "string",
  LinkUrl: "url",
  IsRichText: "boolean",
  HasContent: "boolean",
  Visibility: "visibility",
};
const SYSTEM_REFERENCES = /^(?:Who|What|Account|RelatedTo|Parent|Activity|From|CreatedBy|LastModifiedBy)Id$/;

const BASE: readonly FieldDescription[] = ["Id", "IsDeleted", "CreatedDate", "LastModifiedDate"].map((name) =>
  description(name, SYSTEM_TYPES[name] ?? "string", { length: 18, scale: 0 }),
);

function description(
  name: string,
  type: string,
  { length, scale }: Pick<FieldDescription, "length" | "scale">,
): FieldDescription {
  const custom = name.endsWith("__c");
  return {
    name,
    label: name,
    type,
    custom,
    groupable: false,
    calculated: false,
    aggregatable: false,
    length,
    scale,
    picklistValues: [],
  };
}

const CUSTOM_NAME = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}__c$/);

/** A describe with standard and custom fields in any combination, and a record of it. */
export function describedRecord(object: SourceObjectName) {
  const { fields, fixed, ignoredFields } = SOURCE_OBJECTS[object];
  const standard = [...Object.keys(fields), ...Object.keys(fixed), ...ignoredFields, "SystemModstamp", "PhotoUrl"];
  const name = fc.oneof(
    fc.constantFrom(...standard, "OwnerId", "HtmlBody", "FromAddress", "Fax", "CreatedById", "IsRichText"),
    CUSTOM_NAME,
  );
  const field = fc.record({
    name,
    type: fc.constantFrom(...Object.keys(VALUES)),
    length: fc.nat(200_000),
    scale: fc.nat(18),
  });
  return fc
    .uniqueArray(field, { maxLength: 40, selector: (one) => one.name.toLowerCase() })
    .map((all) => all.filter((one) => !["id", "isdeleted", "createddate"].includes(one.name.toLowerCase())))
    .map((all) => [...BASE, ...all.map((one) => description(one.name, typeOf(one), one))])
    .chain((described) => fc.tuple(fc.constant(described), recordOf(described)));
}

function typeOf({ name, type }: { name: string; type: string }): string {
  return SYSTEM_TYPES[name] ?? (SYSTEM_REFERENCES.test(name) ? "reference" : type);
}

function recordOf(described: readonly FieldDescription[]): fc.Arbitrary<SourceRecord> {
  const values = described.map(({ name, type }): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.option(VALUES[type] ?? TEXT, { nil: null }),
  ]);
  const fixed = {
    Id: fc.constant("00x000000000001AAA"),
    IsDeleted: fc.constant(false),
    CreatedDate: fc.constant("2024-07-24T14:05:58.000+0000"),
    LastModifiedDate: fc.constant("2024-07-25T14:05:58.000+0000"),
  };
  return fc.record({ ...Object.fromEntries(values), ...fixed });
}
