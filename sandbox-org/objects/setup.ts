import { idAt } from "../generator/ids";
import type { Org } from "../generator/population";
import type { SObject } from "../schema/sobject";
import { fixed } from "./fixed";
import { STAGES } from "./opportunity";
import { RECORD_TYPES } from "./record-types";
import { QUEUES } from "../generator/owners";
import { idOf } from "../generator/references";

/** The id of the organization, which is also the first part of every access token. */
export function organizationId(org: Org): string {
  return idAt(org.seed, "00D", 0);
}

const PERMISSIONS = [
  "ApiEnabled",
  "ViewAllData",
  "ModifyAllData",
  "QueryAllFiles",
  "ViewSetup",
  "ManageUsers",
] as const;
const created = "2016-12-01T09:00:00.000+0000";

const status = (name: string, closed: readonly string[], open: readonly string[]): SObject =>
  fixed(
    name,
    [
      { name: "ApiName", length: 40 },
      { name: "MasterLabel", nameField: true },
      { name: "SortOrder", type: "int" },
      { name: "IsDefault", type: "boolean" },
      { name: "IsClosed", type: "boolean" },
    ],
    () =>
      [...open, ...closed].map((label, i) => ({
        ApiName: label,
        MasterLabel: label,
        SortOrder: i + 1,
        IsDefault: i === 0,
        IsClosed: closed.includes(label),
      })),
    { label: name.replace(/([a-z])([A-Z])/, "$1 $2"), labelPlural: `${name}es`, keyPrefix: "01J" },
  );

/** Small objects that describe the org, not its customers. */
export const setupObjects: readonly SObject[] = [
  fixed(
    "Organization",
    [
      { name: "Name", nameField: true, length: 80 },
      { name: "OrganizationType", type: "picklist" },
      { name: "InstanceName", length: 5 },
      { name: "IsSandbox", type: "boolean" },
      { name: "Country" },
      { name: "PrimaryContact", length: 80 },
      { name: "DefaultLocaleSidKey", type: "picklist" },
      { name: "LanguageLocaleKey", type: "picklist" },
      { name: "TimeZoneSidKey", type: "picklist" },
      { name: "NamespacePrefix", length: 15 },
      { name: "TrialExpirationDate", type: "datetime" },
      { name: "CreatedDate", type: "datetime" },
    ],
    () => [
      {
        Name: "Pumps & Valves Ltd",
        OrganizationType: "Enterprise Edition",
        InstanceName: "SBX1S",
        IsSandbox: true,
        Country: "DE",
        PrimaryContact: "Integration Admin",
        DefaultLocaleSidKey: "de_DE",
        LanguageLocaleKey: "en_US",
        TimeZoneSidKey: "Europe/Berlin",
        CreatedDate: created,
      },
    ],
    { label: "Organization", keyPrefix: "00D" },
  ),
  fixed(
    "RecordType",
    [
      { name: "Name", nameField: true, length: 80 },
      { name: "DeveloperName", length: 80 },
      { name: "SobjectType", type: "picklist" },
      { name: "IsActive", type: "boolean" },
      { name: "IsPersonType", type: "boolean" },
      { name: "NamespacePrefix" },
    ],
    () =>
      RECORD_TYPES.map((type) => ({
        Name: type.name,
        DeveloperName: type.developerName,
        SobjectType: type.sobjectType,
        IsActive: type.isActive,
        IsPersonType: type.isPersonType,
      })),
    { label: "Record Type", keyPrefix: "012" },
  ),
  // Permissions of the signed-in user. A test removes one by updating this record.
  fixed(
    "UserPermissionAccess",
    PERMISSIONS.map((permission) => ({ name: `Permissions${permission}`, type: "boolean" })),
    () => [Object.fromEntries(PERMISSIONS.map((permission) => [`Permissions${permission}`, true]))],
    { label: "User Permission Access", labelPlural: "User Permission Accesses", keyPrefix: "0up" },
  ),
  fixed(
    "Profile",
    [
      { name: "Name", nameField: true },
      { name: "UserType", type: "picklist" },
    ],
    () => ["System Administrator", "Standard User"].map((Name) => ({ Name, UserType: "Standard" })),
    {
      label: "Profile",
      keyPrefix: "00e",
    },
  ),
  fixed(
    "UserRole",
    [{ name: "Name", nameField: true }, { name: "DeveloperName" }],
    () => ["CEO", "Sales", "Support"].map((Name) => ({ Name, DeveloperName: Name })),
    {
      label: "Role",
      keyPrefix: "00E",
    },
  ),
  fixed(
    "QueueSobject",
    [
      { name: "QueueId", type: "reference", referenceTo: ["Group"] },
      { name: "SobjectType", type: "picklist" },
    ],
    (org) => QUEUES.map((_, i) => ({ QueueId: idOf(org, "Group", i), SobjectType: i === 4 ? "Lead" : "Case" })),
    { label: "Queue Sobject", keyPrefix: "03g" },
  ),
  status("CaseStatus", ["Resolved", "Closed"], ["New", "Working", "Waiting on Customer", "Escalated", "On Hold"]),
  status("TaskStatus", ["Completed"], ["Not Started", "In Progress", "Waiting on someone else", "Deferred"]),
  fixed(
    "OpportunityStage",
    [
      { name: "ApiName" },
      { name: "MasterLabel", nameField: true },
      { name: "SortOrder", type: "int" },
      { name: "IsActive", type: "boolean" },
      { name: "IsClosed", type: "boolean" },
      { name: "IsWon", type: "boolean" },
      { name: "DefaultProbability", type: "percent" },
      { name: "ForecastCategoryName", type: "picklist" },
    ],
    () =>
      STAGES.map((stage, i) => ({
        ApiName: stage.name,
        MasterLabel: stage.name,
        SortOrder: i + 1,
        IsActive: true,
        IsClosed: stage.isClosed,
        IsWon: stage.isWon,
        DefaultProbability: stage.probability,
        ForecastCategoryName: stage.forecast,
      })),
    { label: "Opportunity Stage", keyPrefix: "01J" },
  ),
];
