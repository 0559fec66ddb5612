import { expect, test } from "vitest";

import { SourceSums } from "@/lib/migration/proof/source-sums";

test("sums of many amounts lose nothing by rounding, and are told apart by currency", () => {
  const sums = new SourceSums([{ source: "Amount" }], { source: "CurrencyIsoCode" });
  expect(sums.fields).toEqual(["Amount", "CurrencyIsoCode"]);
  const cents = Array.from({ length: 100_000 }, () => ({ Amount: 0.1, CurrencyIsoCode: "USD" }));
  sums.add([{ Amount: 1e9, CurrencyIsoCode: "USD" }, ...cents]);
  sums.add([
    { Amount: null, CurrencyIsoCode: "EUR" },
    { Amount: "12.5", CurrencyIsoCode: "CHF" },
  ]);
  expect([...sums.totalsOf("Amount")]).toEqual([
    ["USD", 1_000_010_000],
    ["CHF", 12.5],
  ]);
});

test("nothing is read where nothing is added up", () => {
  expect(new SourceSums([], { source: "CurrencyIsoCode" }).fields).toEqual([]);
});
