import { idAt } from "../generator/ids";
import type { Org } from "../generator/population";
import type { SObject } from "../schema/sobject";
import { CUSTOM_OBJECTS, FLOWS, metadataNameOf } from "./automation";
import { fixed, type Row } from "./fixed";

const RULES: readonly (readonly [name: string, object: string, active: boolean, criteria: string])[] = [
  ["Case: mail on close", "Case", true, "onAllChanges"],
  ["Case: field update on create", "Case", true, "onCreateOnly"],
  ["Lead: outbound message", "Lead", false, "onCreateOrTriggeringUpdate"],
  ["Opportunity: task after 7 days", "Opportunity", true, "onCreateOrTriggeringUpdate"],
  ["Account: stamp region", "Account", false, "onAllChanges"],
];

function workflowRules(org: Org): Row[] {
  const rules = RULES.map(([Name, TableEnumOrId, active, triggerType]) => ({
    Name,
    TableEnumOrId,
    FullName: `${TableEnumOrId}.${Name}`,
    Metadata: { active, triggerType, description: null, formula: null },
  }));
  const onProject = {
    Name: "Project: remind",
    TableEnumOrId: metadataNameOf(org, "Project__c"),
    FullName: "Project__c.Project: remind",
    Metadata: { active: true, triggerType: "onCreateOnly", description: null, formula: "TRUE" },
  };
  return [...rules, onProject];
}

const TRIGGERS: readonly (readonly [
  name: string,
  object: string,
  status: string,
  lines: number,
  usages: readonly string[],
  namespace: string | null,
])[] = [
  ["CaseTrigger", "Case", "Active", 5_400, ["BeforeInsert", "AfterUpdate", "AfterDelete"], null],
  ["AccountTrigger", "Account", "Active", 1_200, ["BeforeInsert", "BeforeUpdate"], null],
  ["ContactLegacy", "Contact", "Inactive", 300, ["AfterInsert"], null],
  ["ProjectTrigger", "Project__c", "Active", 900, ["AfterInsert", "AfterUpdate"], null],
  ["VehicleTrigger", "fleet__Vehicle__c", "Active", 2_000, ["BeforeInsert"], "fleet"],
];
const USAGES = [
  "BeforeInsert",
  "AfterInsert",
  "BeforeUpdate",
  "AfterUpdate",
  "BeforeDelete",
  "AfterDelete",
  "IsBulk",
  "AfterUndelete",
];

function triggerRows(org: Org): Row[] {
  return TRIGGERS.map(([Name, object, Status, LengthWithoutComments, usages, NamespacePrefix]) => ({
    Name,
    TableEnumOrId: metadataNameOf(org, object),
    Status,
    LengthWithoutComments,
    ApiVersion: 58,
    NamespacePrefix,
    ...Object.fromEntries(USAGES.map((usage) => [`Usage${usage}`, usages.includes(usage)])),
  }));
}

const VALIDATIONS: readonly (readonly [name: string, object: string, active: boolean, message: string])[] = [
  ["Subject_required", "Case", true, "Please enter a subject."],
  ["No_close_without_reason", "Case", true, "A closed case needs a reason."],
  ["Email_or_phone", "Contact", true, "Enter an e-mail or a phone number."],
  ["Legacy_check", "Account", false, "Old."],
  ["Amount_positive", "Opportunity", true, "The amount must be positive."],
];

const ENTITY = { type: "complexvalue" } as const;

export const toolingObjects: readonly SObject[] = [
  fixed(
    "Flow",
    [
      { name: "DefinitionId", type: "reference", referenceTo: ["FlowDefinition"] },
      { name: "MasterLabel", nameField: true },
      { name: "ProcessType", type: "picklist" },
      { name: "Status", type: "picklist" },
      { name: "VersionNumber", type: "int" },
      { name: "FullName" },
      { name: "Metadata", ...ENTITY },
    ],
    (org) =>
      FLOWS.map((flow, i) => ({
        DefinitionId: idAt(org.seed, "300", i),
        MasterLabel: flow.label,
        ProcessType: flow.processType,
        Status: flow.active ? "Active" : i % 2 === 0 ? "Draft" : "Obsolete",
        VersionNumber: flow.version ?? 1,
        FullName: `${flow.apiName}-${flow.version ?? 1}`,
        Metadata: {
          label: flow.label,
          processType: flow.processType,
          decisions: [],
          assignments: [],
          recordUpdates: Array.from({ length: i % 4 }, (_, k) => ({ name: `Update_${k}` })),
        },
      })),
    { label: "Flow", keyPrefix: "301", tooling: true },
  ),
  fixed(
    "FlowDefinition",
    [
      { name: "DeveloperName", nameField: true },
      { name: "ActiveVersionId" },
      { name: "LatestVersionId" },
      { name: "NamespacePrefix" },
    ],
    (org) =>
      FLOWS.map((flow, i) => ({
        DeveloperName: flow.apiName,
        ActiveVersionId: flow.active ? idAt(org.seed, "301", i) : null,
        LatestVersionId: idAt(org.seed, "301", i),
        NamespacePrefix: flow.namespace ?? null,
      })),
    { label: "Flow Definition", keyPrefix: "300", tooling: true },
  ),
  fixed(
    "WorkflowRule",
    [
      { name: "Name", nameField: true },
      { name: "TableEnumOrId" },
      { name: "NamespacePrefix" },
      { name: "FullName" },
      { name: "Metadata", ...ENTITY },
    ],
    workflowRules,
    { label: "Workflow Rule", keyPrefix: "01Q", tooling: true },
  ),
  fixed(
    "ApexTrigger",
    [
      { name: "Name", nameField: true },
      { name: "TableEnumOrId" },
      { name: "Status", type: "picklist" },
      { name: "LengthWithoutComments", type: "int" },
      { name: "ApiVersion", type: "double" },
      { name: "NamespacePrefix" },
      ...USAGES.map((usage) => ({ name: `Usage${usage}`, type: "boolean" as const })),
    ],
    triggerRows,
    { label: "Apex Trigger", keyPrefix: "01q", tooling: true },
  ),
  fixed(
    "ApexClass",
    [
      { name: "Name", nameField: true },
      { name: "Status", type: "picklist" },
      { name: "LengthWithoutComments", type: "int" },
      { name: "ApiVersion", type: "double" },
      { name: "NamespacePrefix" },
    ],
    () =>
      ["CaseService", "AccountService", "CaseService_TEST"].map((Name, i) => ({
        Name,
        Status: "Active",
        LengthWithoutComments: 1000 * (i + 1),
        ApiVersion: 60,
      })),
    { label: "Apex Class", keyPrefix: "01p", tooling: true },
  ),
  fixed(
    "ValidationRule",
    [
      { name: "ValidationName", nameField: true },
      { name: "Active", type: "boolean" },
      { name: "EntityDefinitionId", type: "reference", referenceTo: ["EntityDefinition"] },
      { name: "ErrorMessage" },
      { name: "ErrorDisplayField" },
      { name: "Description" },
      { name: "NamespacePrefix" },
      { name: "FullName" },
      { name: "Metadata", ...ENTITY },
    ],
    () =>
      VALIDATIONS.map(([ValidationName, EntityDefinitionId, Active, ErrorMessage]) => ({
        ValidationName,
        Active,
        EntityDefinitionId,
        ErrorMessage,
        FullName: `${EntityDefinitionId}.${ValidationName}`,
        Metadata: { active: Active, errorConditionFormula: "ISBLANK(Subject)", errorMessage: ErrorMessage },
      })),
    { label: "Validation Rule", keyPrefix: "03d", tooling: true },
  ),
  fixed(
    "EntityDefinition",
    [
      { name: "Id" },
      { name: "DurableId" },
      { name: "QualifiedApiName", nameField: true },
      { name: "DeveloperName" },
      { name: "Label" },
      { name: "KeyPrefix" },
    ],
    () =>
      ["Account", "Contact", "Case", "Lead", "Opportunity", "Task", "Event", "Project__c"].map((name) => ({
        Id: name,
        DurableId: name,
        QualifiedApiName: name,
        DeveloperName: name.replace(/__c$/, ""),
        Label: name.replace(/__c$/, ""),
      })),
    { label: "Object", keyPrefix: null, tooling: true },
  ),
  fixed(
    "CustomObject",
    [{ name: "DeveloperName", nameField: true }, { name: "NamespacePrefix" }],
    () =>
      CUSTOM_OBJECTS.map((name) => ({
        DeveloperName: name.replace(/^fleet__|__[ce]$/g, ""),
        NamespacePrefix: name.startsWith("fleet__") ? "fleet" : null,
      })),
    { label: "Custom Object", keyPrefix: "01I", tooling: true },
  ),
];
