import { addressFields } from "../generator/addresses";
import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below, pick } from "../generator/hash";
import type { Org } from "../generator/population";
import { accountParent, personContactOf, randomRecord } from "../generator/relations";
import { lookupId, NONE } from "../generator/references";
import { cut } from "../generator/text";
import {
  empty,
  field,
  READ_ONLY,
  REQUIRED,
  type Field,
  type FieldOptions,
  type FieldType,
  type Json,
} from "../schema/field";
import {
  ACCOUNT_TYPES,
  COMPANY_HEADS,
  COMPANY_TAILS,
  INDUSTRIES,
  LEAD_SOURCES,
  REGIONS,
  TIERS,
} from "../words/companies";
import { CITIES, SALUTATIONS } from "../words/people";
import { person } from "./contact";
import { generated } from "./generated";
import { recordTypeId } from "./record-types";

const dice = new Dice("Account");
const sicCode = dice.integer("Sic", 100, 9999);
const health = dice.integer("Health_Score__c", -100_000, 100_000);
const CREATED = dice.salt("CreatedDate");
const HEAD = dice.salt("Name.head");
const TAIL = dice.salt("Name.tail");
const PLACE = dice.salt("Name.place");
const PRIMARY = dice.salt("Primary_Contact__c");

/** Company names repeat, as in real orgs. A few have 255 characters. */
function companyName(org: Org, n: number): string {
  const head = pick(COMPANY_HEADS, org.seed, HEAD, n);
  const [city] = pick(CITIES, org.seed, PLACE, n);
  const style = below(2000, org.seed, PLACE ^ 1, n);
  const name = `${head} ${style % 3 === 0 ? city : style} ${pick(COMPANY_TAILS, org.seed, TAIL, n)}`;
  return style < 4
    ? cut(`${name} – formerly ${"known under a very long name of the last century and ".repeat(8)}`, 255)
    : name;
}

const accountName: Value<string> = (org, n) => {
  const contact = personContactOf(org, n);
  return contact === NONE ? companyName(org, n) : person.name(org, contact);
};

/** A field of a person account with its contact's value. Null for a business account. */
function mirrored(type: FieldType, name: string, value: Value<Json>, options: FieldOptions = {}): Field {
  return field(
    type,
    name,
    (org, n) => {
      const contact = personContactOf(org, n);
      if (contact === NONE) return type === "boolean" ? false : null;
      return value(org, contact);
    },
    options,
  );
}

const PERSON_NAME = { compoundFieldName: "Name", extraTypeInfo: "personname" } as const;

const names: readonly Field[] = [
  field("string", "Name", accountName, {
    ...REQUIRED,
    label: "Account Name",
    nameField: true,
    compoundFieldName: "Name",
    extraTypeInfo: "switchablepersonname",
  }),
  mirrored("string", "LastName", person.last, { ...PERSON_NAME, length: 80 }),
  mirrored("string", "FirstName", person.first, { ...PERSON_NAME, length: 40 }),
  mirrored("picklist", "Salutation", person.salutation, { ...PERSON_NAME, length: 40, picklist: SALUTATIONS }),
];

const business: readonly Field[] = [
  field("picklist", "Type", dice.picklist("Type", ACCOUNT_TYPES, 800, "Kunde"), {
    label: "Account Type",
    length: 40,
    picklist: ACCOUNT_TYPES,
  }),
  field("picklist", "Industry", dice.picklist("Industry", INDUSTRIES, 850, "Telegraphy"), {
    length: 40,
    picklist: INDUSTRIES,
  }),
  field("picklist", "Rating", dice.picklist("Rating", ["Hot", "Warm", "Cold"], 500), {
    label: "Account Rating",
    length: 40,
    picklist: ["Hot", "Warm", "Cold"],
  }),
  field("picklist", "Ownership", dice.picklist("Ownership", ["Public", "Private", "Subsidiary", "Other"], 400), {
    length: 40,
    picklist: ["Public", "Private", "Subsidiary", "Other"],
  }),
  field("picklist", "AccountSource", dice.picklist("AccountSource", LEAD_SOURCES, 400), {
    length: 40,
    picklist: LEAD_SOURCES,
  }),
  field(
    "string",
    "AccountNumber",
    dice.maybe("AccountNumber", 700, (_, n) => `A-${String(100_000 + n)}`),
    { length: 40 },
  ),
  field("string", "Site", dice.maybe("Site", 100, dice.pick("Site", ["HQ", "Werk 2", "Warehouse"])), {
    label: "Account Site",
    length: 80,
  }),
  field("phone", "Phone", dice.maybe("Phone", 850, dice.phone("Phone")), { label: "Account Phone" }),
  field("phone", "Fax", dice.maybe("Fax", 200, dice.phone("Fax")), { label: "Account Fax" }),
  field(
    "url",
    "Website",
    dice.maybe(
      "Website",
      600,
      dice.pick("Website", ["www.example.com", "https://example.org/de/?q=a b", "HTTP://Example.NET", "n/a"]),
    ),
  ),
  field("currency", "AnnualRevenue", dice.maybe("AnnualRevenue", 500, dice.money("AnnualRevenue", 90_000_000)), {
    scale: 0,
  }),
  field(
    "int",
    "NumberOfEmployees",
    dice.maybe("NumberOfEmployees", 500, dice.integer("NumberOfEmployees", -1, 99_999_999)),
    { label: "Employees" },
  ),
  field("string", "TickerSymbol", dice.maybe("TickerSymbol", 60, dice.pick("TickerSymbol", ["ACME", "GLX", "HOO"])), {
    length: 20,
  }),
  field(
    "string",
    "Sic",
    dice.maybe("Sic", 200, (org, n) => String(sicCode(org, n))),
    { label: "SIC Code", length: 20 },
  ),
  field("textarea", "Description", dice.maybe("Description", 450, dice.text("Description", 32_000)), {
    label: "Account Description",
    length: 32_000,
  }),
];

const custom: readonly Field[] = [
  field("picklist", "Customer_Tier__c", dice.picklist("Customer_Tier__c", TIERS, 900), {
    picklist: TIERS,
    restrictedPicklist: true,
  }),
  field(
    "currency",
    "Contract_Value__c",
    dice.maybe("Contract_Value__c", 600, dice.money("Contract_Value__c", 5_000_000)),
  ),
  field(
    "double",
    "Health_Score__c",
    dice.maybe("Health_Score__c", 700, (org, n) => health(org, n) / 1000),
    { precision: 8, scale: 3 },
  ),
  field("percent", "Discount__c", dice.maybe("Discount__c", 300, dice.integer("Discount__c", 0, 60))),
  field(
    "date",
    "Renewal_Date__c",
    dice.maybe("Renewal_Date__c", 500, dice.date("Renewal_Date__c", Date.UTC(1972, 5, 1), Date.UTC(2049, 0, 1))),
  ),
  field("multipicklist", "Regions__c", dice.multipicklist("Regions__c", REGIONS), { picklist: REGIONS }),
  field("boolean", "Is_Strategic__c", dice.chance("Is_Strategic__c", 80), {
    inlineHelpText: "Tick for accounts the board looks at.",
  }),
  field("textarea", "Notes__c", dice.maybe("Notes__c", 150, dice.text("Notes__c", 32_768)), { length: 32_768 }),
  field("string", "Legacy_Id__c", (_, n) => `ERP-${n}`, { length: 18, externalId: true, unique: true, idLookup: true }),
  field(
    "reference",
    "Primary_Contact__c",
    (org, n) => lookupId(org, "Contact", randomRecord(org, "Contact", PRIMARY, n, 800), n),
    {
      referenceTo: ["Contact"],
    },
  ),
];

const personal: readonly Field[] = [
  field("boolean", "IsPersonAccount", (org, n) => personContactOf(org, n) !== NONE, READ_ONLY),
  field("reference", "PersonContactId", (org, n) => lookupId(org, "Contact", personContactOf(org, n), n), {
    ...READ_ONLY,
    referenceTo: ["Contact"],
  }),
  mirrored("email", "PersonEmail", person.email, { idLookup: true }),
  mirrored("phone", "PersonMobilePhone", person.mobile),
  mirrored("phone", "PersonHomePhone", person.home),
  mirrored("string", "PersonTitle", person.title, { length: 80 }),
  mirrored("string", "PersonDepartment", person.department, { length: 80 }),
  mirrored("date", "PersonBirthdate", person.birthdate),
  mirrored("picklist", "PersonLeadSource", person.leadSource, { picklist: LEAD_SOURCES }),
  mirrored("boolean", "PersonHasOptedOutOfEmail", person.optedOut),
  mirrored("boolean", "PersonDoNotCall", person.doNotCall),
  mirrored("string", "Loyalty_Number__pc", person.loyalty, { length: 20 }),
];

export const account = generated(
  "Account",
  [
    idField("Account", "Account ID"),
    ...auditFields("Account", (org, n) => createdTime(org, CREATED, n, org.total.Account)),
    empty("reference", "MasterRecordId", { ...READ_ONLY, referenceTo: ["Account"] }),
    ...names,
    field(
      "reference",
      "RecordTypeId",
      (org, n) => recordTypeId(org, personContactOf(org, n) === NONE ? "Business_Account" : "PersonAccount"),
      {
        referenceTo: ["RecordType"],
      },
    ),
    field("reference", "ParentId", (org, n) => lookupId(org, "Account", accountParent(org, n), n), {
      label: "Parent Account ID",
      referenceTo: ["Account"],
    }),
    ...addressFields("Account", "Billing", 850),
    ...addressFields("Account", "Shipping", 400),
    ...business,
    ownerField("Account"),
    field(
      "date",
      "LastActivityDate",
      dice.maybe("LastActivityDate", 600, dice.date("LastActivityDate", Date.UTC(2020, 0, 1), ORG_NOW)),
      READ_ONLY,
    ),
    ...VIEWED,
    empty("string", "Jigsaw", { label: "Data.com Key", length: 20 }),
    ...personal,
    ...custom,
  ],
  { label: "Account", mergeable: true, feedEnabled: true },
);
