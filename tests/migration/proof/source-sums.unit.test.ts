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
  expect([...(sums.totalsOf("Amount") ?? [])]).toEqual([
    ["USD", 1_000_010_000],
    ["CHF", 12.5],
  ]);
});

test("a source that names more currencies than there are is not added up", () => {
  const sums = new SourceSums([{ source: "Amount" }, { source: "Tax" }], { source: "CurrencyIsoCode" });
  sums.add(Array.from({ length: 1000 }, (_, number) => ({ Amount: 1, CurrencyIsoCode: `C${number}` })));
  expect(sums.totalsOf("Amount")?.size).toBe(1000);
  sums.add([2000, 3000, 4000].map((number) => ({ Amount: 1, Tax: 1, CurrencyIsoCode: `C${number}` })));
  expect([sums.totalsOf("Amount"), sums.totalsOf("Tax")?.size]).toEqual([null, 3]);
});

test("nothing is read where nothing is added up", () => {
  expect(new SourceSums([], { source: "CurrencyIsoCode" }).fields).toEqual([]);
});
