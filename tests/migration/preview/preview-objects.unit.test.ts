import { expect, test } from "vitest";

import { configurationWith } from "@/lib/migration/configuration/configuration-schema";
import { setLines } from "@/lib/migration/objects/opportunity";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { attachSales } from "@/lib/migration/pipeline/read/sales-records";
import type { SourceRecord } from "@/lib/salesforce/query";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

/** What a product in US dollars becomes that has these prices in the standard price book. */
async function pricedBy(prices: readonly SourceRecord[], own: SourceRecord = { CurrencyIsoCode: "USD" }) {
  const product: SourceRecord = sourceRecord("01t", 1, { Name: "Pump", ...own });
  const described = Object.keys(product).map((name) => ({ name, type: "string" }));
  const entries = prices.map((price, index) => sourceRecord("01u", index, { Product2Id: product.Id, ...price }));
  await attachSales(new ScriptedSource({ PricebookEntry: entries }), "Product2", [product]);
  const outcome = transform(planObject("Product2", described), product, NOBODY, "01890000-0000-7000-8000-000000000000");
  return "row" in outcome ? { price: outcome.row.unit_price, ...outcome.row.custom_fields } : null;
}

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

function stagedAs(record: SourceRecord) {
  const described = ["StageName", "IsClosed", "IsWon"].map((name) => ({ name, type: "string" }));
  const outcome = transform(
    planObject("Opportunity", described),
    { ...sourceRecord("006", 1), ...record },
    NOBODY,
    "01890000-0000-7000-8000-000000000000",
  );
  if (!("row" in outcome)) throw new Error("It has no row.");
  const { stage, is_closed, is_won, custom_fields: kept } = outcome.row;
  return { stage, is_closed, is_won, kept };
}

test("an opportunity is closed and won by its stage, which is a closed one where the source's is", () => {
  const [open, won, lost] = [
    { IsClosed: false, IsWon: false },
    { IsClosed: true, IsWon: true },
    { IsClosed: true, IsWon: false },
  ];
  const closedWon = { stage: "closed_won", is_closed: true, is_won: true };
  const closedLost = { stage: "closed_lost", is_closed: true, is_won: false };
  expect(stagedAs({ StageName: "Proposal", ...open })).toEqual({
    stage: "proposal",
    is_closed: false,
    is_won: false,
    kept: {},
  });
  expect(stagedAs({ StageName: "Closed Won", ...won })).toEqual({ ...closedWon, kept: {} });
  expect(stagedAs({ StageName: "Contract signed", ...open })).toEqual({
    ...closedWon,
    kept: { StageName: "Contract signed", ...open },
  });
  expect(stagedAs({ StageName: "Proposal rejected", ...lost })).toEqual({
    ...closedLost,
    kept: { StageName: "Proposal rejected" },
  });
  expect(stagedAs({ StageName: "Proposal", ...won })).toEqual({ ...closedWon, kept: { StageName: "proposal" } });
  expect(stagedAs({ StageName: "Fertig", ...lost })).toEqual({ ...closedLost, kept: { StageName: "Fertig" } });
});

test("a product has the price of its own currency, and none if there is only one of another", async () => {
  const euros = { UnitPrice: 5, CurrencyIsoCode: "EUR" };
  const kept = { price: 5, currency: "EUR" };
  expect(await pricedBy([euros])).toEqual({ price: null, StandardPrices: [kept] });
  expect(await pricedBy([euros, { UnitPrice: 7, CurrencyIsoCode: "USD" }])).toEqual({
    price: 7,
    StandardPrices: [kept, { price: 7, currency: "USD" }],
  });
  expect(await pricedBy([{ UnitPrice: 7 }], {})).toEqual({ price: 7 });
  expect(await pricedBy([])).toEqual({ price: null });
});

test("of several prices in its currency a product has the active one, and an inactive one is told apart", async () => {
  const [once, monthly] = [sourceId("0jP", 1), sourceId("0jP", 2)];
  const dollars = { CurrencyIsoCode: "USD" };
  const prices = [
    { UnitPrice: 1, IsActive: false, ProductSellingModelId: once, ...dollars },
    { UnitPrice: 2, IsActive: true, ProductSellingModelId: monthly, ...dollars },
  ];
  const [old, current] = [
    { price: 1, currency: "USD", is_active: false, product_selling_model_id: once },
    { price: 2, currency: "USD", is_active: true, product_selling_model_id: monthly },
  ];
  expect(await pricedBy(prices)).toEqual({ price: 2, StandardPrices: [current, old] });
  expect(await pricedBy(prices.slice(0, 1))).toEqual({ price: 1, StandardPrices: [old] });
  expect(await pricedBy(prices.slice(1))).toEqual({ price: 2, StandardPrices: [current] });
});

test("a product keeps at most 200 prices, cleaned, and says how many there are beyond", async () => {
  const prices = Array.from({ length: 230 }, (_, n) => ({ UnitPrice: n, CurrencyIsoCode: "EU\0R" }));
  const priced: Record<string, unknown> = (await pricedBy(prices)) ?? {};
  const { StandardPrices: kept, ...rest } = priced as Record<string, unknown> & { StandardPrices: object[] };
  expect(kept).toHaveLength(200);
  expect(kept[0]).toEqual({ price: expect.any(Number), currency: "EUR" });
  expect(rest).toEqual({ price: null, "StandardPrices.More": 30 });
});

test("what changes with the day alone is not read of opportunities, nor what one user marks of any record", () => {
  const names = ["AgeInDays", "LastActivityInDays", "LastStageChangeInDays", "HasOverdueTask", "IsPriorityRecord"];
  const described = ["Id", "Name", ...names].map((name) => ({ name, type: "string" }));
  expect(planObject("Opportunity", described).select).toEqual(["Id", "CreatedDate", "IsDeleted", "Name"]);
  for (const object of ["Account", "Contact", "Lead"] as const)
    expect(planObject(object, described).select).not.toContain("IsPriorityRecord");
});

test("choices for an object that the settings do not name are refused as planned", () => {
  const choices = { objects: { Opportunity: { values: { StageName: { Prospecting: "qualification" } } } } };
  const refused = configurationWith((object) => object === "Lead").safeParse(choices);
  expect(refused.error?.issues).toMatchObject([
    { path: ["objects", "Opportunity"], message: expect.stringContaining("planned") },
  ]);
});
