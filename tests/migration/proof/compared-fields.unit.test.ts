import { expect, test } from "vitest";

import { planObject } from "@/lib/migration/pipeline/map/plan";
import { comparedFields } from "@/lib/migration/proof/compared-fields";
import type { FieldDescription } from "@/lib/salesforce/describe";

const described = ["Budget__c", "Total__c"].map((name) => ({
  name,
  type: "currency",
  aggregatable: true,
  calculated: name === "Total__c",
})) as FieldDescription[];

test("sums of what Salesforce calculates are not compared: a delta does not bring its changes", () => {
  const { amounts } = comparedFields(planObject("Account", described), described);
  expect(amounts.map(({ source }) => source)).toEqual(["Budget__c"]);
});
