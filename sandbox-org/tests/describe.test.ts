import { expect, test } from "vitest";

import { Database } from "@/sandbox-org/data/database";
import { openOrg } from "@/sandbox-org/generator/population";
import { describeEntry, describeObject } from "@/sandbox-org/rest/describe";

const ROOT = "/services/data/v60.0";
const database = new Database(openOrg(1, 1000));

interface DescribedField {
  name: string;
  type: string;
  length: number;
  nillable: boolean;
  createable: boolean;
  defaultedOnCreate: boolean;
  custom: boolean;
  referenceTo: string[];
  relationshipName: string | null;
  polymorphicForeignKey: boolean;
  picklistValues: { value: string; active: boolean }[];
  filterable: boolean;
  calculated: boolean;
}

interface Described {
  name: string;
  fields: DescribedField[];
  childRelationships: { childSObject: string; field: string; relationshipName: string }[];
  recordTypeInfos: { developerName: string; active: boolean; master: boolean }[];
}

function described(name: string): Described {
  const table = database.table(name);
  if (!table) throw new Error(`There is no ${name}.`);
  return describeObject(database, table, ROOT) as unknown as Described;
}

const required = (name: string): string[] =>
  described(name)
    .fields.filter((field) => !field.nillable && !field.defaultedOnCreate && field.createable)
    .map((field) => field.name);

const field = (object: string, name: string): DescribedField | undefined =>
  described(object).fields.find((one) => one.name === name);

const MIGRATED = [
  "Account",
  "Contact",
  "Case",
  "CaseComment",
  "EmailMessage",
  "FeedItem",
  "FeedComment",
  "Task",
  "Event",
];

test.each([...MIGRATED, "Lead", "Opportunity", "Product2", "User"])(
  "%s: fields carry the 57 attributes of a real describe, and names are unique",
  (name) => {
    const { fields } = described(name);
    expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
    for (const field of fields) expect(Object.keys(field)).toHaveLength(57);
  },
);

test("the fields required on create are the same as in Salesforce", () => {
  expect(required("Account")).toEqual(["Name"]);
  expect(required("Contact")).toEqual(["LastName"]);
  expect(required("Case")).toEqual([]);
  expect(required("CaseComment")).toEqual(["ParentId"]);
});

test("lookups name the objects they point at, and their relationship", () => {
  expect(field("Contact", "AccountId")).toMatchObject({
    referenceTo: ["Account"],
    relationshipName: "Account",
    polymorphicForeignKey: false,
  });
  expect(field("Case", "OwnerId")).toMatchObject({
    referenceTo: ["Group", "User"],
    relationshipName: "Owner",
    polymorphicForeignKey: true,
  });
  expect(field("Case", "Affected_Product__c")).toMatchObject({
    referenceTo: ["Product2"],
    relationshipName: "Affected_Product__r",
    custom: true,
  });
  expect(field("Task", "WhoId")).toMatchObject({ referenceTo: ["Contact", "Lead"], relationshipName: "Who" });
  expect(field("Case", "Resolution_Hours__c")).toMatchObject({ calculated: true, createable: false });
});

test("there are custom fields of every kind, and inactive picklist values are listed as inactive", () => {
  const kinds = new Set(
    ["Account", "Contact", "Case"].flatMap((name) =>
      described(name)
        .fields.filter((field) => field.custom)
        .map((field) => field.type),
    ),
  );
  for (const kind of ["string", "double", "picklist", "multipicklist", "boolean", "date", "textarea", "reference"])
    expect(kinds).toContain(kind);
  const industry = described("Account").fields.find((field) => field.name === "Industry");
  expect(industry?.picklistValues.filter((value) => !value.active).map((value) => value.value)).toEqual(["Dot Com"]);
});

test("children and record types are named", () => {
  const account = described("Account");
  expect(account.childRelationships).toContainEqual(
    expect.objectContaining({ childSObject: "Contact", field: "AccountId", relationshipName: "Contacts" }),
  );
  expect(new Set(account.childRelationships.map((relation) => relation.relationshipName)).size).toBe(
    account.childRelationships.length,
  );
  expect(account.recordTypeInfos.map((info) => info.developerName)).toEqual([
    "Business_Account",
    "PersonAccount",
    "Master",
  ]);
  expect(
    described("Case")
      .recordTypeInfos.filter((info) => !info.active)
      .map((info) => info.developerName),
  ).toEqual(["Field_Service_2014"]);
});

test("describe global also lists objects that an inventory must leave out", () => {
  const entries = database.tables("data").map((table) => describeEntry(table, ROOT));
  const names = entries.map((entry) => entry["name"]);
  for (const name of [
    ...MIGRATED,
    "AccountHistory",
    "ContactFeed",
    "CaseShare",
    "Project__Share",
    "App_Settings__c",
    "Routing_Rule__mdt",
    "fleet__Vehicle__c",
  ])
    expect(names).toContain(name);
  expect(entries.find((entry) => entry["name"] === "AccountHistory")).toMatchObject({
    associateParentEntity: "Account",
    associateEntityType: "History",
    keyPrefix: null,
  });
  expect(entries.find((entry) => entry["name"] === "App_Settings__c")).toMatchObject({
    customSetting: true,
    custom: true,
  });
});

test("hidden objects and fields are absent", () => {
  const restricted = new Database(openOrg(1, 1000));
  restricted.restrict({ hiddenObjects: ["Case"], hiddenFields: { Account: ["Industry"] } });
  expect(restricted.table("Case")).toBeUndefined();
  expect(restricted.tables("data").map((table) => table.name)).not.toContain("Case");
  expect(restricted.table("Account")?.field("Industry")).toBeUndefined();
  expect(restricted.table("Account")?.field("Name")).toBeDefined();
});
