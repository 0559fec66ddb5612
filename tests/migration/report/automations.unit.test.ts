import { expect, test } from "vitest";

import { adviseOn } from "@/lib/migration/report/automations/automation-advice";
import { readAutomations } from "@/lib/migration/report/automations/automations";
import { summarize } from "@/lib/migration/report/automations/automation-complexity";
import { SalesforceError } from "@/lib/salesforce/errors";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

type Counts = Parameters<typeof summarize>[0];

const NOTHING = { active: 0, total: 3 };
const org = (counts: Partial<Counts>): Counts => ({
  workflows: NOTHING,
  process_builder_flows: NOTHING,
  flows: NOTHING,
  triggers: NOTHING,
  validation_rules: NOTHING,
  ...counts,
});

test("automations that are not active make nothing complex", () => {
  const { complexity, ...kinds } = summarize(org({}));
  expect([complexity, ...Object.values(kinds).map((kind) => kind?.complexity)]).toEqual(Array(6).fill("none"));
});

test.each<[what: string, counts: Partial<Counts>, complexity: string]>([
  ["one rule", { workflows: { active: 1, total: 1 } }, "low"],
  ["ten rules", { workflows: { active: 10, total: 10 } }, "low"],
  ["eleven rules", { workflows: { active: 11, total: 11 } }, "medium"],
  ["six flows", { flows: { active: 6, total: 6 } }, "medium"],
  ["six Process Builder flows", { process_builder_flows: { active: 6, total: 6 } }, "medium"],
  ["three triggers", { triggers: { active: 3, total: 3 } }, "medium"],
  ["thirteen triggers", { triggers: { active: 13, total: 13 } }, "high"],
  [
    "fifty rules and one more of another kind",
    { workflows: { active: 50, total: 50 }, validation_rules: { active: 1, total: 1 } },
    "high",
  ],
])("%s", (_what, counts, complexity) => {
  expect(summarize(org(counts)).complexity).toBe(complexity);
});

test("kinds that the Salesforce user may not see are null, and the rest is rated without them", () => {
  const found = summarize(org({ workflows: null, triggers: { active: 3, total: 4 } }));
  expect(found).toMatchObject({
    complexity: "medium",
    workflows: null,
    triggers: { active: 3, total: 4, complexity: "medium" },
  });
});

test.each([
  ["CaseComment", "Read what happens to case comments from the events feed of the API, and write through it."],
  ["EmailMessage", "Read what happens to case comments and activities from the events feed"],
  ["FeedItem", "Read what happens to case comments from the events feed"],
  ["FeedComment", "Read what happens to case comments from the events feed"],
  ["Task", "Read what happens to activities from the events feed"],
  ["Product2", "Nothing here: Product2 stays in Salesforce."],
  ["Visit__c", "Nothing here: Visit__c stays in Salesforce."],
])("a trigger on %s: what is imported without webhook events is read from the events feed", (object, action) => {
  const trigger = { kind: "triggers" as const, name: "T", object, active: true, trigger: null, changes: [] };
  expect(adviseOn(trigger)).toEqual({ action: expect.stringContaining(action), events: [] });
});

const rules = (many: number) =>
  Array.from({ length: many }, (_, number) => sourceRecord("03d", number, { ValidationName: "R", Active: true }));

test("automations beyond the first page are counted, unless the org does not sort them", async () => {
  const source = new ScriptedSource({ ValidationRule: rules(4500) });
  const { automations } = await readAutomations(source);
  expect(automations.validation_rules).toMatchObject({ active: 4500, total: 4500 });
  source.beforeQuery = (soql) => {
    if (soql.includes("ORDER BY")) throw new SalesforceError("source_error", "No order here.", { status: 400 });
  };
  const unsorted = await readAutomations(source);
  expect(unsorted.automations.validation_rules).toMatchObject({ total: 2000 });
});

test.each([
  ["01I000000000001AAA", "Visit__c"],
  ["01I000000000002AAA", "Old visit"],
  ["Case", "Case"],
])("a flow on %s works on %s: the name of the object, or else its label", async (id, object) => {
  const flow = { ActiveVersionId: "301", TriggerObjectOrEventId: id, TriggerObjectOrEventLabel: "Old visit" };
  const source = new ScriptedSource({
    FlowDefinitionView: [{ Id: "1", DurableId: "Flow", ProcessType: "AutoLaunchedFlow", ...flow }],
    CustomObject: [{ Id: "01I000000000001AAA", DeveloperName: "Visit" }],
  });
  expect((await readAutomations(source)).automationList.data).toMatchObject([{ kind: "flows", object }]);
});

test.each([
  ["flow", "flows", { ProcessType: "AutoLaunchedFlow", TriggerType: "PlatformEvent" }],
  ["process", "process_builder_flows", { ProcessType: "CustomEvent" }],
])("a %s that a platform event triggers is listed under the name of the event", async (_what, kind, flow) => {
  const triggered = { ActiveVersionId: "301", TriggerObjectOrEventId: "01I000000000003AAA" };
  const source = new ScriptedSource({
    FlowDefinitionView: [{ Id: "1", DurableId: "Flow", ...triggered, ...flow }],
    CustomObject: [{ Id: "01I000000000003AAA", DeveloperName: "Order_Shipped" }],
  });
  const { automationList } = await readAutomations(source);
  expect(automationList.data).toMatchObject([{ kind, object: "Order_Shipped__e" }]);
});
