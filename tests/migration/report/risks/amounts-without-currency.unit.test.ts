import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { amountsTitle, withoutCurrency } from "@/lib/migration/report/risks/amounts-without-currency";

const amount = (source: string, filled?: number) => ({ source, ...(filled !== undefined && { fill: { filled } }) });

const objectsOf = (mappings: object, ...objects: object[]) =>
  withoutCurrency({ mappings, survey: { objects } } as unknown as ReportFacts);

test("amounts have no currency where their records name none, as in an org with one currency", () => {
  const products = { name: "Product2", count: 3 };
  const mappings = {
    Account: { fields: [amount("AnnualRevenue", 12)] },
    Product2: { fields: [] },
    Opportunity: { fields: [amount("Amount")] },
  };
  expect(objectsOf(mappings, products)).toEqual(["Account", "Product2", "Opportunity"]);
  const currency = { source: "CurrencyIsoCode" };
  const several = { Account: { fields: [...mappings.Account.fields, currency] }, Product2: { fields: [currency] } };
  expect(objectsOf(several, products)).toEqual([]);
});

test("whether products have prices is not known, and the title says so", () => {
  expect(amountsTitle(["Opportunity"], "Opportunities")).toBe("Amounts of Opportunities come without a currency");
  expect(amountsTitle(["Product2"], "Products")).toBe("Amounts of Products may come without a currency");
});

test("nothing is said of objects without amounts, or that are not migrated", () => {
  expect(objectsOf({ Account: { fields: [amount("AnnualRevenue", 0)] }, Product2: { fields: [] } })).toEqual([]);
  expect(objectsOf({})).toEqual([]);
});
