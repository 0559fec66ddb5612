import { expect, onTestFinished, test } from "vitest";

import { env } from "@/lib/env";
import type { ReportFacts } from "@/lib/migration/report/facts";
import {
  activeAutomations,
  customObjects,
  plannedObjects,
  standardObjects,
} from "@/lib/migration/report/risks/left-behind";

const surveyed = (name: string, count: number | null) => ({ name, label: name, custom: name.endsWith("__c"), count });

const factsOf = (...objects: object[]) => ({ survey: { objects } }) as unknown as ReportFacts;

test("objects of which one could not be counted have no number of records together", async () => {
  const planned = [surveyed("Lead", 12), surveyed("Opportunity", null)];
  const custom = [surveyed("Visit__c", 5), surveyed("Log__c", null)];
  const facts = factsOf(...planned, ...custom);
  expect([await plannedObjects(facts), await customObjects(facts)]).toMatchObject([
    [{ count: null }],
    [{ count: null }],
  ]);
  const counted = factsOf(surveyed("Lead", 12), surveyed("Opportunity", 3), surveyed("Visit__c", 5));
  expect([await plannedObjects(counted), await customObjects(counted)]).toMatchObject([
    [{ count: 15 }],
    [{ count: 5 }],
  ]);
});

test("standard objects with records stay behind, the largest first, but none that a run reads", async () => {
  const [risk, ...others] = await standardObjects(
    factsOf(
      surveyed("Asset", 1200),
      surveyed("LiveChatTranscript", 500_000),
      surveyed("Solution", 0),
      ...["Account", "Lead", "Visit__c", "ContentVersion", "Document", "TaskRelation"].map((name) => surveyed(name, 9)),
    ),
  );
  expect(others).toEqual([]);
  expect(risk).toMatchObject({
    severity: "warning",
    code: "standard_objects",
    count: 501_200,
    title: "2 other standard objects stay in Salesforce",
    detail: "They have no equivalent here: LiveChatTranscript (500,000), Asset (1,200).",
  });
  expect(await standardObjects(factsOf(surveyed("Solution", 0)))).toEqual([]);
});

test("lines, contact roles and prices stay behind where opportunities and products are not imported", async () => {
  const parts = ["OpportunityContactRole", "OpportunityLineItem", "Pricebook2", "PricebookEntry"];
  const facts = factsOf(...parts.map((name) => surveyed(name, 9)));
  expect(await standardObjects(facts)).toMatchObject([{ title: "4 other standard objects stay in Salesforce" }]);
  env.MIGRATION_PREVIEW_OBJECTS = ["opportunity"];
  onTestFinished(() => void (env.MIGRATION_PREVIEW_OBJECTS = []));
  expect(await standardObjects(facts)).toMatchObject([
    { detail: "They have no equivalent here: Pricebook2 (9), PricebookEntry (9)." },
  ]);
  env.MIGRATION_PREVIEW_OBJECTS = ["opportunity", "product"];
  expect(await standardObjects(facts)).toEqual([]);
});

test("standard objects that could not be counted are told without a number, and none is called empty", async () => {
  expect(await standardObjects(factsOf(surveyed("Asset", 3), surveyed("Contract", null)))).toMatchObject([
    {
      count: null,
      title: "At least 1 other standard object stays in Salesforce",
      detail: expect.stringMatching(/Asset \(3\)\. 1 object could not be counted, and may have records too\.$/),
    },
  ]);
  expect(await standardObjects(factsOf(surveyed("Contract", null)))).toMatchObject([
    { count: null, title: "Other standard objects may have records, which stay in Salesforce" },
  ]);
});

const KINDS = ["workflows", "process_builder_flows", "flows", "triggers", "validation_rules"];

function automationsOf(active: number | null, others: number | null) {
  const kinds = KINDS.map((kind, index) => [kind, index === 0 ? active : others] as const);
  const counts = kinds.map(([kind, count]) => [kind, count === null ? null : { active: count, total: count }]);
  return { automations: { complexity: null, ...Object.fromEntries(counts) } } as unknown as ReportFacts;
}

test("automations that the Salesforce user may not see are not counted as none", async () => {
  expect(await activeAutomations(automationsOf(12, 0))).toMatchObject([{ title: "12 automations are active" }]);
  expect(await activeAutomations(automationsOf(12, null))).toMatchObject([
    { title: "At least 12 automations are active" },
    { severity: "info", code: "automations_not_readable" },
  ]);
  for (const unseen of [automationsOf(0, null), automationsOf(null, null)])
    expect(await activeAutomations(unseen)).toMatchObject([{ severity: "info", code: "automations_not_readable" }]);
  expect(await activeAutomations(automationsOf(0, 0))).toEqual([]);
});
