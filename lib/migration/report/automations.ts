import { z } from "zod";

import { nullWhenRefused } from "@/lib/salesforce/null-when-refused";
import type { Report } from "@/lib/migration/schemas";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, type QueryPage, toolingQuery } from "@/lib/salesforce/query";
import { select, soqlString } from "@/lib/salesforce/soql";

type Count = Report["automations"]["flows"];

/** These objects refuse to be paged, so one page has to do. */
const MOST = 2000;
/** Whether a workflow rule is active can only be asked rule by rule. */
const MOST_RULES = 200;
const AT_ONCE = 5;

const rule = z.object({ Metadata: z.object({ active: z.boolean() }).nullable() });

/** How many automations of each kind the org has; null where the user may not see them. */
export async function countAutomations(client: SalesforceClient): Promise<Report["automations"]> {
  const flows = await query(client, list(["DurableId", "ActiveVersionId"], "FlowDefinitionView")).catch(nullWhenRefused);
  const triggers = await toolingQuery(client, list(["Id", "Status"], "ApexTrigger")).catch(nullWhenRefused);
  const validations = await toolingQuery(client, list(["Id", "Active"], "ValidationRule")).catch(nullWhenRefused);
  return {
    flows: tally(flows, (flow) => Boolean(flow.ActiveVersionId)),
    workflow_rules: await countWorkflowRules(client),
    apex_triggers: tally(triggers, (trigger) => trigger.Status === "Active"),
    validation_rules: tally(validations, (validation) => validation.Active === true),
  };
}

function list(fields: string[], from: string): string {
  return select({ fields, from, limit: MOST });
}

function tally(page: QueryPage | null, isActive: (record: Record<string, unknown>) => boolean): Count {
  return page && { active: page.records.filter(isActive).length, total: page.records.length };
}

/** `Metadata` may be selected only when one row returns. Rules beyond the first two hundred count as active: rather too many than too few. */
async function countWorkflowRules(client: SalesforceClient): Promise<Count> {
  const page = await toolingQuery(client, list(["Id"], "WorkflowRule")).catch(nullWhenRefused);
  if (!page) return null;
  const ids = page.records.map((record) => String(record.Id));
  let active = Math.max(0, ids.length - MOST_RULES);
  for (let start = 0; start < Math.min(ids.length, MOST_RULES); start += AT_ONCE) {
    const answers = await Promise.all(ids.slice(start, Math.min(start + AT_ONCE, MOST_RULES)).map((id) => isActiveRule(client, id)));
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
