import { z } from "zod";

import type { Complexity, Report } from "@/lib/migration/report/report-schema";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, toolingQuery, select, soqlString } from "@/lib/salesforce/query";
import { nullWhenRefused } from "@/lib/salesforce/refusals";

type Automations = Report["automations"];

type Kind = Exclude<keyof Automations, "complexity">;

type Count = { active: number; total: number } | null;

type Row = Record<string, unknown>;

/** Whether a workflow rule is active must be queried for each rule. */
const MAX_RULES_QUERIED = 200;

const CONCURRENT_RULE_QUERIES = 5;

/**
 * Types of processes that Process Builder makes: record-change, invocable and event processes (Object Reference,
 * FlowDefinitionView, ProcessType). All other types are flows.
 */
const PROCESS_BUILDER = new Set(["Workflow", "InvocableProcess", "CustomEvent"]);

/**
 * The weight of one active automation: a rule is one condition, flows and processes have branches, a trigger is code.
 */
const POINTS: Record<Kind, number> = {
  workflows: 1,
  process_builder_flows: 2,
  flows: 2,
  triggers: 4,
  validation_rules: 1,
};

const MAX_LOW = 10;

const MAX_MEDIUM = 50;

const rule = z.object({ Metadata: z.object({ active: z.boolean() }).nullable() });

/**
 * The automations of an org by kind, with the complexity of each kind and of all. A kind is null if the user may not
 * see it.
 */
export async function readAutomations(client: SalesforceClient): Promise<Automations> {
  const flows = await list(query(client, all(["DurableId", "ProcessType", "ActiveVersionId"], "FlowDefinitionView")));
  const triggers = await list(toolingQuery(client, all(["Id", "Status"], "ApexTrigger")));
  const validations = await list(toolingQuery(client, all(["Id", "Active"], "ValidationRule")));
  return summarize({
    workflows: await countWorkflowRules(client),
    process_builder_flows: flows && tally(flows.filter(isProcess), isActiveFlow),
    flows:
      flows &&
      tally(
        flows.filter((flow) => !isProcess(flow)),
        isActiveFlow,
      ),
    triggers: triggers && tally(triggers, (trigger) => trigger.Status === "Active"),
    validation_rules: validations && tally(validations, (validation) => validation.Active === true),
  });
}

/** Rates each kind, and all readable kinds together. */
export function summarize(counts: Record<Kind, Count>): Automations {
  const pointsOf = (kind: Kind) => (counts[kind]?.active ?? 0) * POINTS[kind];
  const rate = (kind: Kind) => counts[kind] && { ...counts[kind], complexity: complexityOf(pointsOf(kind)) };
  const kinds = Object.keys(POINTS) as Kind[];
  const points = kinds.reduce((sum, kind) => sum + pointsOf(kind), 0);
  return {
    complexity: kinds.some((kind) => counts[kind]) ? complexityOf(points) : null,
    workflows: rate("workflows"),
    process_builder_flows: rate("process_builder_flows"),
    flows: rate("flows"),
    triggers: rate("triggers"),
    validation_rules: rate("validation_rules"),
  };
}

function complexityOf(points: number): Complexity {
  if (points === 0) return "none";
  if (points <= MAX_LOW) return "low";
  return points <= MAX_MEDIUM ? "medium" : "high";
}

function isProcess(flow: Row): boolean {
  return PROCESS_BUILDER.has(String(flow.ProcessType));
}

function isActiveFlow(flow: Row): boolean {
  return Boolean(flow.ActiveVersionId);
}

async function list(page: ReturnType<typeof query>): Promise<Row[] | null> {
  return (await page.catch(nullWhenRefused))?.records ?? null;
}

/** These objects cannot be paged, so the first page has to do. */
function all(fields: string[], from: string): string {
  return select({ fields, from, limit: MAX_PAGE_RECORDS });
}

function tally(rows: readonly Row[], isActive: (row: Row) => boolean): Count {
  return { active: rows.filter(isActive).length, total: rows.length };
}

/**
 * `Metadata` can be selected for one row at a time. Rules beyond the first two hundred count as active: too many rather
 * than too few.
 */
async function countWorkflowRules(client: SalesforceClient): Promise<Count> {
  const rules = await list(toolingQuery(client, all(["Id"], "WorkflowRule")));
  if (!rules) return null;
  const ids = rules.map((record) => String(record.Id));
  let active = Math.max(0, ids.length - MAX_RULES_QUERIED);
  for (let start = 0; start < Math.min(ids.length, MAX_RULES_QUERIED); start += CONCURRENT_RULE_QUERIES) {
    const answers = await Promise.all(
      ids
        .slice(start, Math.min(start + CONCURRENT_RULE_QUERIES, MAX_RULES_QUERIED))
        .map((id) => isActiveRule(client, id)),
    );
    active += answers.filter(Boolean).length;
  }
  return { active, total: ids.length };
}

async function isActiveRule(client: SalesforceClient, id: string): Promise<boolean> {
  const soql = select({ fields: ["Id", "Metadata"], from: "WorkflowRule", where: [`Id = ${soqlString(id)}`] });
  const page = await toolingQuery(client, soql).catch(nullWhenRefused);
  const parsed = rule.safeParse(page?.records[0]);
  return !parsed.success || parsed.data.Metadata?.active !== false;
}
