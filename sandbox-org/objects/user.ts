import { auditFields, idField, VIEWED } from "../generator/audit";
import { DAY, datetime, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { idAt } from "../generator/ids";
import { AUTOMATED_USER, isInactiveUser, RUNNING_USER } from "../generator/owners";
import { idOf, lookupId, NONE } from "../generator/references";
import { fullName } from "../generator/people";
import { field, READ_ONLY, REQUIRED } from "../schema/field";
import { FIRST_NAMES, LAST_NAMES } from "../words/people";
import { generated } from "./generated";

const dice = new Dice("User");
const first = dice.pick("FirstName", FIRST_NAMES);
const last = dice.pick("LastName", LAST_NAMES);
const department = dice.maybe("Department", 700, dice.pick("Department", ["Support", "Sales", "Field Service"]));
const title = dice.maybe("Title", 600, dice.pick("Title", ["Agent", "Team lead", "Account Manager"]));
const FOUNDED = Date.UTC(2016, 11, 1, 9, 0, 0);

const firstName: Value<string | null> = (org, n) => {
  if (n === RUNNING_USER) return "Integration";
  return n === AUTOMATED_USER ? "Automated" : first(org, n);
};
const lastName: Value<string> = (org, n) => {
  if (n === RUNNING_USER) return "Admin";
  return n === AUTOMATED_USER ? "Process" : last(org, n);
};
/** Usernames are unique in all of Salesforce. E-mail addresses are not: two users here share one. */
export const username: Value<string> = (_, n) =>
  n === RUNNING_USER ? "admin@pumps.example.sandbox" : `user${n}@pumps.example.sandbox`;
export const userEmail: Value<string> = (_, n) => {
  if (n === RUNNING_USER) return "admin@pumps.example";
  return `user${n === 7 ? 6 : n}@pumps.example`;
};

export const user = generated(
  "User",
  [
    idField("User", "User ID"),
    field("string", "Username", username, { ...REQUIRED, length: 80, idLookup: true }),
    field("string", "LastName", lastName, {
      ...REQUIRED,
      compoundFieldName: "Name",
      extraTypeInfo: "personname",
      length: 80,
    }),
    field("string", "FirstName", firstName, { compoundFieldName: "Name", extraTypeInfo: "personname", length: 40 }),
    field("string", "Name", (org, n) => fullName(firstName(org, n), lastName(org, n)), {
      ...READ_ONLY,
      label: "Full Name",
      nillable: false,
      nameField: true,
      extraTypeInfo: "personname",
      length: 121,
    }),
    field("email", "Email", userEmail, { ...REQUIRED, length: 128 }),
    field("string", "Alias", (_, n) => `u${n}`, { ...REQUIRED, length: 8 }),
    field("string", "CommunityNickname", (_, n) => `user${n}`, { ...REQUIRED, length: 40 }),
    field("boolean", "IsActive", (_, n) => !isInactiveUser(n), { label: "Active" }),
    field("picklist", "UserType", (_, n) => (n === AUTOMATED_USER ? "AutomatedProcess" : "Standard"), {
      ...READ_ONLY,
      length: 40,
      picklist: ["Standard", "PowerPartner", "CspLitePortal", "Guest", "AutomatedProcess", "CloudIntegrationUser"],
    }),
    field("string", "Title", title, { length: 80 }),
    field("string", "Department", department, { length: 80 }),
    field("string", "CompanyName", () => "Pumps & Valves Ltd", { length: 80 }),
    field("phone", "Phone", dice.maybe("Phone", 500, dice.phone("Phone"))),
    field("reference", "ProfileId", (org, n) => idAt(org.seed, "00e", n === RUNNING_USER ? 0 : 1), {
      ...REQUIRED,
      referenceTo: ["Profile"],
    }),
    field("reference", "UserRoleId", (org, n) => (n % 4 === 0 ? null : idAt(org.seed, "00E", n % 3)), {
      referenceTo: ["UserRole"],
    }),
    field("reference", "ManagerId", (org, n) => lookupId(org, "User", n > 4 ? 2 + (n % 3) : NONE, n), {
      referenceTo: ["User"],
    }),
    field("picklist", "TimeZoneSidKey", () => "Europe/Berlin", {
      ...REQUIRED,
      length: 40,
      picklist: ["Europe/Berlin", "America/Los_Angeles"],
    }),
    field("picklist", "LocaleSidKey", () => "de_DE", { ...REQUIRED, length: 40, picklist: ["de_DE", "en_US"] }),
    field("picklist", "LanguageLocaleKey", () => "en_US", { ...REQUIRED, length: 40, picklist: ["de", "en_US"] }),
    field("picklist", "EmailEncodingKey", () => "UTF-8", {
      ...REQUIRED,
      length: 40,
      picklist: ["UTF-8", "ISO-8859-1"],
    }),
    field(
      "datetime",
      "LastLoginDate",
      (_, n) => (isInactiveUser(n) ? null : datetime(ORG_NOW - (n % 90) * DAY)),
      READ_ONLY,
    ),
    field("reference", "AccountId", () => null, { ...READ_ONLY, referenceTo: ["Account"] }),
    field("reference", "ContactId", () => null, { referenceTo: ["Contact"] }),
    ...auditFields("User", (_, n) => FOUNDED + n * DAY).filter(({ name }) => name !== "IsDeleted"),
    ...VIEWED,
    field("string", "FederationIdentifier", (org, n) => (n % 5 === 0 ? idOf(org, "User", n).toLowerCase() : null), {
      length: 512,
    }),
  ],
  { label: "User", labelPlural: "Users", feedEnabled: true },
);
