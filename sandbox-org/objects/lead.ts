import { addressFields } from "../generator/addresses";
import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below, chance } from "../generator/hash";
import { fullName } from "../generator/people";
import type { Org } from "../generator/population";
import { idOf, lookupId, NONE } from "../generator/references";
import { empty, field, READ_ONLY, REQUIRED } from "../schema/field";
import { COMPANY_HEADS, INDUSTRIES, LEAD_SOURCES } from "../words/companies";
import { SALUTATIONS, TITLES } from "../words/people";
import { person } from "./contact";
import { generated } from "./generated";

const dice = new Dice("Lead");
const CREATED = dice.salt("CreatedDate");
const PERSON = dice.salt("person");
const CONVERTED = dice.salt("IsConverted");
const STATUSES = [
  "*Open - Not Contacted",
  "Working - Contacted",
  "Closed - Converted",
  "Closed - Not Converted",
  "-Nurturing (old)",
] as const;

/** The person of a lead. One lead in three is also a contact. */
function identity(org: Org, n: number): number {
  return chance(330, org.seed, PERSON, n) && org.total.Contact > 0
    ? below(org.total.Contact, org.seed, PERSON ^ 1, n)
    : 10_000_000 + n;
}

const isConverted: Value<boolean> = (org, n) =>
  chance(200, org.seed, CONVERTED, n) && org.total.Account > 0 && org.total.Contact > 0;
const openStatus = dice.pick("Status", [
  "Open - Not Contacted",
  "Working - Contacted",
  "Closed - Not Converted",
  "Nurturing (old)",
]);
const first: Value<string | null> = (org, n) => person.first(org, identity(org, n));
const last: Value<string> = (org, n) => person.last(org, identity(org, n));
const created: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.Lead);
const NAME = { compoundFieldName: "Name", extraTypeInfo: "personname" } as const;

export const lead = generated(
  "Lead",
  [
    idField("Lead", "Lead ID"),
    ...auditFields("Lead", created),
    empty("reference", "MasterRecordId", { ...READ_ONLY, referenceTo: ["Lead"] }),
    field("string", "LastName", last, { ...REQUIRED, ...NAME, length: 80 }),
    field("string", "FirstName", first, { ...NAME, length: 40 }),
    field("picklist", "Salutation", person.salutation, { ...NAME, length: 40, picklist: SALUTATIONS }),
    field("string", "Name", (org, n) => fullName(first(org, n), last(org, n)), {
      ...READ_ONLY,
      nillable: false,
      nameField: true,
      length: 121,
      extraTypeInfo: "personname",
    }),
    field("string", "Title", dice.maybe("Title", 600, dice.pick("Title", TITLES)), { length: 128 }),
    field("string", "Company", dice.pick("Company", COMPANY_HEADS), REQUIRED),
    ...addressFields("Lead", "", 500),
    field("phone", "Phone", dice.maybe("Phone", 600, dice.phone("Phone"))),
    field("phone", "MobilePhone", dice.maybe("MobilePhone", 300, dice.phone("MobilePhone"))),
    field("email", "Email", (org, n) => person.email(org, identity(org, n)), { idLookup: true }),
    field(
      "url",
      "Website",
      dice.maybe("Website", 300, () => "https://www.example.com"),
    ),
    field("textarea", "Description", dice.maybe("Description", 200, dice.text("Description", 32_000)), {
      length: 32_000,
    }),
    field("picklist", "LeadSource", dice.picklist("LeadSource", LEAD_SOURCES, 800), { picklist: LEAD_SOURCES }),
    field("picklist", "Status", (org, n) => (isConverted(org, n) ? "Closed - Converted" : openStatus(org, n)), {
      ...REQUIRED,
      defaultedOnCreate: true,
      picklist: STATUSES,
    }),
    field("picklist", "Industry", dice.picklist("Industry", INDUSTRIES, 700), { picklist: INDUSTRIES }),
    field("picklist", "Rating", dice.picklist("Rating", ["Hot", "Warm", "Cold"], 500), {
      picklist: ["Hot", "Warm", "Cold"],
    }),
    field("currency", "AnnualRevenue", dice.maybe("AnnualRevenue", 200, dice.money("AnnualRevenue", 9_000_000)), {
      scale: 0,
    }),
    field(
      "int",
      "NumberOfEmployees",
      dice.maybe("NumberOfEmployees", 200, dice.integer("NumberOfEmployees", 1, 90_000)),
    ),
    ownerField("Lead", 200),
    field("boolean", "IsConverted", isConverted, { updateable: false, label: "Converted" }),
    field("date", "ConvertedDate", (org, n) => (isConverted(org, n) ? "2025-11-03" : null), READ_ONLY),
    field(
      "reference",
      "ConvertedAccountId",
      (org, n) => lookupId(org, "Account", isConverted(org, n) ? n % org.total.Account : NONE, n),
      {
        ...READ_ONLY,
        referenceTo: ["Account"],
      },
    ),
    field(
      "reference",
      "ConvertedContactId",
      (org, n) => (isConverted(org, n) ? idOf(org, "Contact", n % org.total.Contact) : null),
      {
        ...READ_ONLY,
        referenceTo: ["Contact"],
      },
    ),
    field(
      "reference",
      "ConvertedOpportunityId",
      (org, n) =>
        lookupId(
          org,
          "Opportunity",
          isConverted(org, n) && n % 2 === 0 ? n % Math.max(1, org.total.Opportunity) : NONE,
          n,
        ),
      {
        ...READ_ONLY,
        referenceTo: ["Opportunity"],
      },
    ),
    field("boolean", "IsUnreadByOwner", dice.chance("IsUnreadByOwner", 100)),
    field(
      "date",
      "LastActivityDate",
      dice.maybe("LastActivityDate", 300, dice.date("LastActivityDate", Date.UTC(2020, 0, 1), ORG_NOW)),
      READ_ONLY,
    ),
    ...VIEWED,
  ],
  { label: "Lead", mergeable: true, feedEnabled: true },
);
