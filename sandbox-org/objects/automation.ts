import { idAt } from "../generator/ids";
import type { Org } from "../generator/population";
import type { SObject } from "../schema/sobject";
import { fixed, type Row } from "./fixed";

export const CUSTOM_OBJECTS: readonly string[] = [
  "Project__c",
  "fleet__Vehicle__c",
  "App_Settings__c",
  "Order_Shipped__e",
];

/** Flows and some tooling objects name a custom object or platform event by its metadata id. */
export function metadataNameOf(org: Org, object: string): string {
  return CUSTOM_OBJECTS.includes(object) ? idAt(org.seed, "01I", CUSTOM_OBJECTS.indexOf(object)) : object;
}

interface FlowSpec {
  readonly apiName: string;
  readonly label: string;
  readonly processType: string;
  readonly triggerType: string | null;
  readonly recordTriggerType?: string;
  readonly object?: string;
  readonly active: boolean;
  readonly version?: number;
  readonly namespace?: string;
}

/** Flows and processes of every kind, some inactive, one from a package. */
export const FLOWS: readonly FlowSpec[] = [
  {
    apiName: "Case_Set_Priority",
    label: "Case: set priority",
    processType: "AutoLaunchedFlow",
    triggerType: "RecordBeforeSave",
    recordTriggerType: "Create",
    object: "Case",
    active: true,
    version: 4,
  },
  {
    apiName: "Case_Notify_Owner",
    label: "Case: notify owner",
    processType: "AutoLaunchedFlow",
    triggerType: "RecordAfterSave",
    recordTriggerType: "CreateAndUpdate",
    object: "Case",
    active: true,
    version: 11,
  },
  {
    apiName: "Account_Sync_ERP",
    label: "Account: sync to ERP",
    processType: "AutoLaunchedFlow",
    triggerType: "RecordAfterSave",
    recordTriggerType: "Update",
    object: "Account",
    active: true,
    version: 7,
  },
  {
    apiName: "Contact_Dedupe",
    label: "Contact: find duplicates",
    processType: "AutoLaunchedFlow",
    triggerType: "RecordAfterSave",
    recordTriggerType: "Create",
    object: "Contact",
    active: false,
    version: 2,
  },
  {
    apiName: "Nightly_Cleanup",
    label: "Nightly clean-up",
    processType: "AutoLaunchedFlow",
    triggerType: "Scheduled",
    object: "Task",
    active: true,
    version: 1,
  },
  {
    apiName: "Order_Shipped_Handler",
    label: "Order shipped",
    processType: "AutoLaunchedFlow",
    triggerType: "PlatformEvent",
    object: "Order_Shipped__e",
    active: true,
    version: 3,
  },
  {
    apiName: "New_Customer_Wizard",
    label: "New customer wizard",
    processType: "Flow",
    triggerType: null,
    active: true,
    version: 9,
  },
  { apiName: "Old_Survey", label: "Survey (old)", processType: "Flow", triggerType: null, active: false, version: 1 },
  {
    apiName: "Opportunity_Won_Process",
    label: "Opportunity won",
    processType: "Workflow",
    triggerType: null,
    object: "Opportunity",
    active: true,
    version: 5,
  },
  {
    apiName: "Case_Escalation_Process",
    label: "Case escalation",
    processType: "Workflow",
    triggerType: null,
    object: "Case",
    active: false,
    version: 2,
  },
  {
    apiName: "Order_Paid_Process",
    label: "Order paid",
    processType: "CustomEvent",
    triggerType: null,
    active: true,
    version: 1,
  },
  {
    apiName: "Invocable_Discount",
    label: "Discount",
    processType: "InvocableProcess",
    triggerType: null,
    object: "Account",
    active: true,
    version: 1,
  },
  {
    apiName: "Vehicle_Inspection",
    label: "Vehicle inspection",
    processType: "AutoLaunchedFlow",
    triggerType: "RecordAfterSave",
    recordTriggerType: "Create",
    object: "fleet__Vehicle__c",
    active: true,
    version: 6,
    namespace: "fleet",
  },
];

function flowRow(org: Org, flow: FlowSpec, i: number): Row {
  const definition = `300Hs00000000${String(i).padStart(2, "0")}IAA`;
  return {
    DurableId: flow.namespace ? `${flow.namespace}__${flow.apiName}` : flow.apiName,
    ApiName: flow.apiName,
    Label: flow.label,
    ProcessType: flow.processType,
    TriggerType: flow.triggerType,
    RecordTriggerType: flow.recordTriggerType ?? null,
    TriggerObjectOrEventId: flow.object === undefined ? null : metadataNameOf(org, flow.object),
    TriggerObjectOrEventLabel: flow.object?.replace(/^fleet__|__[ce]$/g, "") ?? null,
    ActiveVersionId: flow.active ? definition.replace("300", "301") : null,
    LatestVersionId: definition.replace("300", "301"),
    IsActive: flow.active,
    VersionNumber: flow.version ?? 1,
    NamespacePrefix: flow.namespace ?? null,
    ManageableState: flow.namespace ? "installed" : "unmanaged",
    LastModifiedDate: "2025-05-06T07:08:09.000+0000",
  };
}

const FLOW_COLUMNS = [
  "DurableId",
  "ApiName",
  "Label",
  "ProcessType",
  "TriggerType",
  "RecordTriggerType",
  "TriggerObjectOrEventId",
  "TriggerObjectOrEventLabel",
  "ActiveVersionId",
  "LatestVersionId",
  "NamespacePrefix",
  "ManageableState",
];

/** Automation in the data API. The rest is in the tooling API. */
export const automationObjects: readonly SObject[] = [
  fixed(
    "FlowDefinitionView",
    [
      ...FLOW_COLUMNS.map((name) => ({ name })),
      { name: "IsActive", type: "boolean" },
      { name: "VersionNumber", type: "int" },
      { name: "LastModifiedDate", type: "datetime" },
    ],
    (org) => FLOWS.map((flow, i) => flowRow(org, flow, i)),
    { label: "Flow Definition", keyPrefix: "3dd" },
  ),
  fixed(
    "AssignmentRule",
    [{ name: "Name" }, { name: "SobjectType" }, { name: "Active", type: "boolean" }],
    () => [
      { Name: "Standard case routing", SobjectType: "Case", Active: true },
      { Name: "Leads DACH", SobjectType: "Lead", Active: false },
    ],
    { label: "Assignment Rule", keyPrefix: "01Q" },
  ),
  fixed(
    "ProcessDefinition",
    [{ name: "Name" }, { name: "DeveloperName" }, { name: "Type" }, { name: "TableEnumOrId" }, { name: "State" }],
    () => [
      {
        Name: "Discount approval",
        DeveloperName: "Discount_approval",
        Type: "Approval",
        TableEnumOrId: "Opportunity",
        State: "Active",
      },
    ],
    { label: "Process Definition", keyPrefix: "04a" },
  ),
];
