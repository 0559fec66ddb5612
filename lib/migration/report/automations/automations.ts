import { z } from "zod";

import { batchesOf } from "@/lib/batches";
import type { FoundAutomation } from "@/lib/migration/report/automations/automation-advice";
import {
  foundFlow,
  foundRule,
  foundTrigger,
  foundValidation,
  isObjectId,
  listAutomations,
  type ObjectNames,
  TRIGGER_FIELDS,
  VALIDATION_FIELDS,
} from "@/lib/migration/report/automations/automation-list";
import {
  type AutomationCounts,
  type AutomationKind,
  summarize,
} from "@/lib/migration/report/automations/automation-complexity";
import {
  selectFirstPage,
  list,
  listTooling,
  type Row,
  readTooling,
} from "@/lib/migration/report/automations/tooling-rows";
import type { Report } from "@/lib/migration/report/report-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, toolingQuery, select, soqlString } from "@/lib/salesforce/query";

/** Whether a workflow rule is active must be queried for each rule. */
const MAX_RULES_QUERIED = 200;

const CONCURRENT_RULE_QUERIES = 5;

/**
 * Types of processes that Process Builder makes: record-change, invocable and event processes (Object Reference,
 * FlowDefinitionView, ProcessType). All other types are flows.
 */
const PROCESS_BUILDER = new Set(["Workflow", "InvocableProcess", "CustomEvent"]);

const rule = z.object({ Metadata: z.object({ active: z.boolean() }).nullable() });

interface Inventory {
  automations: Report["automations"];
  automationList: NonNullable<Report["automation_list"]>;
}

/**
 * The automations of an org by kind, with the complexity of each kind and of all, and by name. A kind is null if the
 * user may not see it.
 */
export async function readAutomations(client: SalesforceClient): Promise<Inventory> {
  const flows = await readFlows(client);
  const triggers = await readTooling(client, "ApexTrigger", ["Id", "Status"], TRIGGER_FIELDS);
  const validations = await readTooling(client, "ValidationRule", ["Id", "Active"], VALIDATION_FIELDS);
  const rules = await readWorkflowRules(client);
  const rows = [...(triggers ?? []), ...(rules?.map(({ row }) => row) ?? [])];
  const named = [...rows.map((row) => row.TableEnumOrId), ...(flows ?? []).map((row) => row.TriggerObjectOrEventId)];
  const names = await readObjectNames(client, named);
  const found: Record<AutomationKind, FoundAutomation[] | null> = {
    workflows: rules && rules.map(({ row, active }) => foundRule(row, active, names)),
    process_builder_flows: flows && flows.filter(isProcess).map((row) => foundFlow(row, true, names)),
    flows: flows && flows.filter((row) => !isProcess(row)).map((row) => foundFlow(row, false, names)),
    triggers: triggers && triggers.map((row) => foundTrigger(row, names)),
    validation_rules: validations && validations.map(foundValidation),
  };
  const counts = Object.fromEntries(Object.entries(found).map(([kind, all]) => [kind, all && tally(all)]));
  const automationList = listAutomations(Object.values(found).flatMap((all) => all ?? []));
  return { automations: summarize(counts as AutomationCounts), automationList };
}

const FLOW_FIELDS = ["DurableId", "ProcessType", "ActiveVersionId"];

/** Some of these are missing in older versions of the API. */
const FLOW_DETAILS = [
  "ApiName",
  "Label",
  "TriggerType",
  "RecordTriggerType",
  "TriggerObjectOrEventId",
  "TriggerObjectOrEventLabel",
];

async function readFlows(client: SalesforceClient): Promise<Row[] | null> {
  const read = (fields: readonly string[]) =>
    list((signal) => query(client, selectFirstPage(fields, "FlowDefinitionView"), { signal }));
  return (await read([...FLOW_FIELDS, ...FLOW_DETAILS])) ?? read(FLOW_FIELDS);
}

/** Rules, triggers and flows name custom objects by their metadata id. */
async function readObjectNames(client: SalesforceClient, named: readonly unknown[]): Promise<ObjectNames> {
  if (!named.some(isObjectId)) return new Map();
  const objects = await listTooling(client, ["Id", "DeveloperName", "NamespacePrefix"], "CustomObject");
  return new Map(
    (objects ?? []).map(({ Id, DeveloperName, NamespacePrefix }) => {
      const prefix = typeof NamespacePrefix === "string" && NamespacePrefix !== "" ? `${NamespacePrefix}__` : "";
      return [String(Id).slice(0, 15), `${prefix}${String(DeveloperName)}__c`];
    }),
  );
}

function isProcess(flow: Row): boolean {
  return PROCESS_BUILDER.has(String(flow.ProcessType));
}

function tally(found: readonly FoundAutomation[]): AutomationCounts[AutomationKind] {
  return { active: found.filter(({ active }) => active).length, total: found.length };
}

/**
 * `Metadata` can be selected for one row at a time. Rules beyond the first two hundred count as active: too many rather
 * than too few.
 */
async function readWorkflowRules(client: SalesforceClient): Promise<{ row: Row; active: boolean }[] | null> {
  const rules = await readTooling(client, "WorkflowRule", ["Id"], ["Name", "TableEnumOrId"]);
  if (!rules) return null;
  const found = rules.map((row) => ({ row, active: true }));
  for (const group of batchesOf(found.slice(0, MAX_RULES_QUERIED), CONCURRENT_RULE_QUERIES)) {
    await Promise.all(
      group.map(async (rule) => {
        rule.active = await isActiveRule(client, String(rule.row.Id));
      }),
    );
  }
  return found;
}

async function isActiveRule(client: SalesforceClient, id: string): Promise<boolean> {
  const soql = select({ fields: ["Id", "Metadata"], from: "WorkflowRule", where: [`Id = ${soqlString(id)}`] });
  const rows = await list((signal) => toolingQuery(client, soql, { signal }));
  const parsed = rule.safeParse(rows?.[0]);
  return !parsed.success || parsed.data.Metadata?.active !== false;
}
