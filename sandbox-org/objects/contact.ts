import { addressFields } from "../generator/addresses";
import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { emailAt, firstNameAt, fullName, identityOf, lastNameAt } from "../generator/people";
import { contactAccount, personAccountOf, randomRecord } from "../generator/relations";
import { lookupId, NONE } from "../generator/references";
import { empty, field, READ_ONLY, REQUIRED, type Field } from "../schema/field";
import { LEAD_SOURCES } from "../words/companies";
import { DEPARTMENTS, SALUTATIONS, TITLES } from "../words/people";
import { generated } from "./generated";

const dice = new Dice("Contact");
const CREATED = dice.salt("CreatedDate");
const REPORTS_TO = dice.salt("ReportsToId");
const MENTOR = dice.salt("Mentor__c");
const bounced = dice.maybe("Bounced", 12, () => true);
const shoeSize = dice.integer("Shoe_Size__c", 70, 96);
const YEAR_1925 = Date.UTC(1925, 0, 1);
const YEAR_2008 = Date.UTC(2008, 0, 1);
const LANGUAGES = ["*English", "Deutsch", "Français", "日本語", "العربية", "-Latin"] as const;

/** Values of a contact that its person account has too. */
export const person = {
  first: ((org, n) => firstNameAt(org, identityOf(org, n))) as Value<string | null>,
  last: ((org, n) => lastNameAt(org, identityOf(org, n))) as Value<string>,
  name: ((org, n) => fullName(person.first(org, n), person.last(org, n))) as Value<string>,
  email: emailAt as Value<string | null>,
  salutation: dice.maybe("Salutation", 600, dice.pick("Salutation", SALUTATIONS)),
  mobile: dice.maybe("MobilePhone", 500, dice.phone("MobilePhone")),
  home: dice.maybe("HomePhone", 120, dice.phone("HomePhone")),
  title: dice.maybe("Title", 700, dice.pick("Title", TITLES)),
  department: dice.maybe("Department", 400, dice.pick("Department", DEPARTMENTS)),
  birthdate: dice.maybe("Birthdate", 250, dice.date("Birthdate", YEAR_1925, YEAR_2008)),
  leadSource: dice.picklist("LeadSource", LEAD_SOURCES, 600),
  optedOut: dice.chance("HasOptedOutOfEmail", 90),
  doNotCall: dice.chance("DoNotCall", 60),
  loyalty: dice.maybe("Loyalty_Number__c", 400, (org, n) => `L-${String(n).padStart(8, "0")}`),
};

const contactCreated: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.Contact);

const NAME = { compoundFieldName: "Name", extraTypeInfo: "personname" } as const;

const names: readonly Field[] = [
  field("string", "LastName", person.last, { ...REQUIRED, ...NAME, length: 80 }),
  field("string", "FirstName", person.first, { ...NAME, length: 40 }),
  field("picklist", "Salutation", person.salutation, { ...NAME, length: 40, picklist: SALUTATIONS }),
  field("string", "Name", person.name, {
    ...READ_ONLY,
    nillable: false,
    label: "Full Name",
    length: 121,
    nameField: true,
    extraTypeInfo: "personname",
  }),
];

const reach: readonly Field[] = [
  field("phone", "Phone", dice.maybe("Phone", 750, dice.phone("Phone")), { label: "Business Phone" }),
  field("phone", "Fax", dice.maybe("Fax", 150, dice.phone("Fax"))),
  field("phone", "MobilePhone", person.mobile),
  field("phone", "HomePhone", person.home),
  field("phone", "OtherPhone", dice.maybe("OtherPhone", 50, dice.phone("OtherPhone"))),
  empty("phone", "AssistantPhone"),
  empty("string", "AssistantName", { length: 40 }),
  field("email", "Email", person.email, { idLookup: true }),
  field("boolean", "HasOptedOutOfEmail", person.optedOut, { label: "Email Opt Out" }),
  field("boolean", "HasOptedOutOfFax", dice.chance("HasOptedOutOfFax", 20), { label: "Fax Opt Out" }),
  field("boolean", "DoNotCall", person.doNotCall),
  field(
    "string",
    "EmailBouncedReason",
    dice.maybe("Bounced", 12, () => "550 5.1.1 User unknown"),
  ),
  field(
    "datetime",
    "EmailBouncedDate",
    dice.maybe("Bounced", 12, dice.datetime("EmailBouncedDate", Date.UTC(2020, 0, 1), ORG_NOW)),
  ),
  field("boolean", "IsEmailBounced", (org, n) => bounced(org, n) !== null, READ_ONLY),
];

const custom: readonly Field[] = [
  field("picklist", "Preferred_Language__c", dice.picklist("Preferred_Language__c", LANGUAGES, 700, "Esperanto"), {
    picklist: LANGUAGES,
  }),
  field(
    "multipicklist",
    "Interests__c",
    dice.multipicklist("Interests__c", ["Pumps", "Valves", "Trade, fairs", "-Faxing"]),
    {
      picklist: ["Pumps", "Valves", "Trade, fairs", "-Faxing"],
    },
  ),
  field("boolean", "Newsletter__c", dice.chance("Newsletter__c", 350)),
  field("string", "Loyalty_Number__c", person.loyalty, { length: 20, externalId: true, unique: true, idLookup: true }),
  field(
    "double",
    "Shoe_Size__c",
    dice.maybe("Shoe_Size__c", 200, (org, n) => shoeSize(org, n) / 2),
    { precision: 4, scale: 1 },
  ),
  field(
    "date",
    "Anniversary__c",
    dice.maybe("Anniversary__c", 150, dice.date("Anniversary__c", Date.UTC(1970, 0, 1), ORG_NOW)),
  ),
  field("textarea", "Bio__c", dice.maybe("Bio__c", 120, dice.text("Bio__c", 32_768)), { length: 32_768 }),
  field(
    "url",
    "LinkedIn__c",
    dice.maybe("LinkedIn__c", 200, (_, n) => `https://social.example/in/person-${n}`),
  ),
  field(
    "reference",
    "Mentor__c",
    (org, n) => lookupId(org, "Contact", randomRecord(org, "Contact", MENTOR, n, 930), n),
    {
      referenceTo: ["Contact"],
    },
  ),
];

export const contact = generated(
  "Contact",
  [
    idField("Contact", "Contact ID"),
    ...auditFields("Contact", contactCreated),
    empty("reference", "MasterRecordId", { ...READ_ONLY, referenceTo: ["Contact"] }),
    field("reference", "AccountId", (org, n) => lookupId(org, "Account", contactAccount(org, n), n), {
      label: "Account ID",
      referenceTo: ["Account"],
    }),
    field("boolean", "IsPersonAccount", (org, n) => personAccountOf(org, n) !== NONE, READ_ONLY),
    ...names,
    ...addressFields("Contact", "Other", 80),
    ...addressFields("Contact", "Mailing", 650),
    ...reach,
    field(
      "reference",
      "ReportsToId",
      (org, n) => lookupId(org, "Contact", randomRecord(org, "Contact", REPORTS_TO, n, 850), n),
      {
        referenceTo: ["Contact"],
      },
    ),
    field("string", "Title", person.title, { length: 128 }),
    field("string", "Department", person.department, { length: 80 }),
    field("picklist", "LeadSource", person.leadSource, { picklist: LEAD_SOURCES }),
    field("date", "Birthdate", person.birthdate),
    field("textarea", "Description", dice.maybe("Description", 300, dice.text("Description", 32_000)), {
      length: 32_000,
    }),
    ownerField("Contact"),
    field(
      "date",
      "LastActivityDate",
      dice.maybe("LastActivityDate", 500, dice.date("LastActivityDate", Date.UTC(2020, 0, 1), ORG_NOW)),
      READ_ONLY,
    ),
    ...VIEWED,
    ...custom,
  ],
  { label: "Contact", mergeable: true, feedEnabled: true },
);
