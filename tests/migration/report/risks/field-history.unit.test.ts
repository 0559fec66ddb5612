import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { fieldHistory } from "@/lib/migration/report/risks/field-history";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

function factsOf(client: ScriptedSource, ...names: string[]): ReportFacts {
  return { client, survey: { objects: names.map((name) => ({ name, readable: true })) } } as unknown as ReportFacts;
}

test("the history of fields that an org has tracked is named, by the objects that are migrated", async () => {
  const client = new ScriptedSource({
    AccountHistory: [sourceRecord("017", 1)],
    ContactHistory: [],
    CaseHistory: [sourceRecord("017", 2)],
    Visit__History: [sourceRecord("017", 3)],
  });
  const [risk, ...others] = await fieldHistory(factsOf(client, "Account", "Contact", "Case", "Task", "Visit__c"));
  expect(risk).toMatchObject({
    severity: "info",
    title: "The field history of Accounts and Cases stays in Salesforce",
    detail: expect.stringContaining("stands in AccountHistory, CaseHistory, which"),
  });
  expect([others, client.requests]).toEqual([[], 3]);
});

test("an org that tracks nothing, or shows no history to the user, is not warned", async () => {
  const client = new ScriptedSource({ AccountHistory: [] });
  expect(await fieldHistory(factsOf(client, "Account", "Contact"))).toEqual([]);
});
