import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { examplesOf } from "@/lib/migration/report/risks/example-queries";

const field = (source: string, values: object[] = []) => ({ source, label: source, values });

const value = (source: string, count: number, more: object = {}) => ({
  source,
  count,
  active: true,
  suggestion: null,
  ...more,
});

const surveyed = (name: string, count: number, custom = false) => ({
  name,
  label: name,
  count,
  custom,
  readable: true,
});

const facts = {
  survey: {
    objects: [
      surveyed("Attachment", 3),
      surveyed("Log__b", 9, true),
      surveyed("Visit__c", 2, true),
      surveyed("Asset", 4),
      surveyed("Contract", 7),
    ],
  },
  mappings: {
    Case: { fields: [field("Status", [value("Parked", 2), value("On 'ice'", 7)]), field("Origin")] },
    Event: { fields: [field("RecurrenceActivityId"), field("IsChild")] },
  },
} as unknown as ReportFacts;

const examples = (risk: Partial<Risk>) => examplesOf(facts, { object: null, count: 1, ...risk } as Risk);

test("the example of a picklist value is a record with the value that most records have", () => {
  const [about] = examples({ code: "picklist_values_unknown", object: "Case" });
  expect(about).toEqual({ object: "Case", where: [String.raw`Status = 'On \'ice\''`], name: "Subject" });
});

test("the example of a series is the pattern that an occurrence names, in objects that have series", () => {
  expect(examples({ code: "recurring_series" })).toMatchObject([{ object: "Event", id: "RecurrenceActivityId" }]);
});

test("a file is looked for where there are files, a custom object among those that have names", () => {
  expect(examples({ code: "files" }).map(({ object }) => object)).toEqual(["Attachment"]);
  expect(examples({ code: "custom_objects" }).map(({ object }) => object)).toEqual(["Visit__c"]);
  expect(examples({ code: "standard_objects" }).map(({ object }) => object)).toEqual(["Contract"]);
});

test("nothing is asked for a risk without records, with an example, or of which no record can be named", () => {
  expect(examples({ code: "person_accounts", count: 0 })).toEqual([]);
  expect(examples({ code: "person_accounts", example: { object: "Account", ext_id: "001", name: null } })).toEqual([]);
  expect(examples({ code: "api_limit", count: null })).toEqual([]);
});
