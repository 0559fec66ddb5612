import { expect, test } from "vitest";
import type { z } from "zod";

import { readAutomations } from "@/lib/migration/report/automations/automations";
import { countNotices } from "@/lib/migration/report/expect-in-feeds";
import { expectLeftOut } from "@/lib/migration/report/expect-left-out";
import type { ReportFacts } from "@/lib/migration/report/facts";
import { partialView } from "@/lib/migration/report/risks/access";
import {
  archivedActivities,
  attachments,
  furtherPeople,
  hiddenEmails,
} from "@/lib/migration/report/risks/activities-and-people";
import { fieldHistory } from "@/lib/migration/report/risks/field-history";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

/** Notes the paths that are asked for without a signal that could end the request. */
class NotingSource extends ScriptedSource {
  readonly unbounded: string[] = [];

  override json<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options: { body?: string; signal?: AbortSignal } = {},
  ): Promise<z.output<Schema>> {
    if (!options.signal) this.unbounded.push(path);
    return super.json(path, schema, options);
  }
}

const OBJECTS = ["FeedItem", "Task", "Event", "EmailMessage", "Case"];

const FIELDS = ["Type", "IsRecurrence", "IsChild", "HasAttachment", "Body", "WhoCount"].map((source) => ({ source }));

function factsOf(client: NotingSource): ReportFacts {
  return {
    client,
    survey: { objects: OBJECTS.map((name) => ({ name, count: 3, readable: true })), analyzedAs: {} },
    mappings: Object.fromEntries(OBJECTS.map((name) => [name, { fields: FIELDS }])),
  } as unknown as ReportFacts;
}

test.each<[string, (facts: ReportFacts) => unknown]>([
  ["automations", ({ client }) => readAutomations(client)],
  ["posts without content", (facts) => countNotices(facts)],
  ["series with occurrences", (facts) => expectLeftOut(facts)],
  ["what the user may see", (facts) => partialView(facts)],
  ["archived activities", (facts) => archivedActivities(facts)],
  ["attachments", (facts) => attachments(facts)],
  ["field history", (facts) => fieldHistory(facts)],
  ["further people", (facts) => furtherPeople(facts)],
  ["hidden e-mails", (facts) => hiddenEmails(facts)],
])("no optional question of an analysis can keep the user waiting: %s", async (_, ask) => {
  const rule = { Name: "Rule", TableEnumOrId: "01I000000000001AAA", Metadata: { active: true } };
  const source = new NotingSource({
    Case: [],
    EmailMessage: [],
    Task: [1, 2].map((number) => sourceRecord("00T", number, { IsRecurrence: true })),
    FeedItem: [sourceRecord("0D5", 1, { Type: "ChangeStatusPost" })],
    WorkflowRule: [sourceRecord("01Q", 1, rule)],
    CustomObject: [],
  });
  await ask(factsOf(source));
  expect(source.requests).toBeGreaterThan(0);
  expect(source.unbounded).toEqual([]);
});

test("attachments that cannot be counted in time are warned of", async () => {
  const [risk] = await attachments(factsOf(new NotingSource({})));
  expect(risk).toMatchObject({ severity: "warning", count: null, title: "Some e-mails may have attachments" });
});
