import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { calculatedFields } from "@/lib/migration/report/risks/calculated-fields";

const field = (source: string, calculated: boolean, target: string | null = "custom_fields") => ({
  source,
  calculated,
  target,
});

const risksOf = (mappings: object) => calculatedFields({ mappings } as unknown as ReportFacts);

test("formulas and roll-up summaries are named, since nothing here calculates them", async () => {
  const mappings = {
    Case: { fields: [field("Subject", false), field("Age__c", true), field("IsSelfServiceClosed", true, null)] },
    Account: { fields: [1, 2, 3, 4, 5, 6].map((number) => field(`Sum_${number}__c`, true)) },
  };
  expect(await risksOf(mappings)).toMatchObject([
    {
      severity: "info",
      code: "calculated_fields",
      title: "7 fields are calculated by Salesforce",
      detail: expect.stringContaining(
        "Accounts (Sum_1__c, Sum_2__c, Sum_3__c, Sum_4__c, Sum_5__c, …); Cases (Age__c):",
      ),
    },
  ]);
});

test("nothing is said where nothing is calculated, nor by drafts of older releases", async () => {
  expect(await risksOf({ Case: { fields: [field("Subject", false), { source: "Age__c", target: null }] } })).toEqual(
    [],
  );
});
