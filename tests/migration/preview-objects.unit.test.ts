import { expect, test } from "vitest";

import { configurationWith } from "@/lib/migration/configuration/configuration-schema";
import { setLines } from "@/lib/migration/objects/opportunity";
import type { SourceRecord } from "@/lib/salesforce/query";

test("an opportunity keeps at most 200 lines, and says how many there are beyond", () => {
  const record: SourceRecord = { Id: "006" };
  setLines(
    record,
    Array.from({ length: 230 }, (_, n) => ({
      Id: `00k${n}`,
      OpportunityId: "006",
      SortOrder: 230 - n,
      Discount: null,
    })),
  );
  const kept = record.OpportunityLineItems as SourceRecord[];
  expect(kept).toHaveLength(200);
  expect(kept[0]).toEqual({ Id: "00k229", SortOrder: 1 });
  expect(record["OpportunityLineItems.More"]).toBe(30);
});

test("choices for an object that the settings do not name are refused as planned", () => {
  const choices = { objects: { Opportunity: { values: { StageName: { Prospecting: "qualification" } } } } };
  const refused = configurationWith((object) => object === "Lead").safeParse(choices);
  expect(refused.error?.issues).toMatchObject([
    { path: ["objects", "Opportunity"], message: expect.stringContaining("planned") },
  ]);
});
