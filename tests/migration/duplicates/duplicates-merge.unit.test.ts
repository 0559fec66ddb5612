import { describe, expect, test } from "vitest";

import { type DuplicateChoices, duplicates } from "@/lib/migration/configuration/duplicate-rules";
import { mergeInto, mergeRows } from "@/lib/migration/duplicates/merge-rows";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";

const FIELDS = { Name: "string", AnnualRevenue: "currency", CurrencyIsoCode: "picklist" };

function planOf(object: "Account" | "Lead", choices: Record<string, string | null> = {}) {
  const described = Object.entries(FIELDS).map(([name, type]) => ({ name, type }));
  return planObject(object, described, { fields: choices }).main;
}

const accounts = planOf("Account");
const leads = planOf("Lead");

function row(values: Record<string, unknown>, month = 1): Row {
  const day = `2026-0${month}-01T00:00:00.000Z`;
  return { id: "a", ext_id: "b", created_at: day, updated_at: day, owner_id: null, custom_fields: {}, ...values };
}

const choices = (given: object = {}): DuplicateChoices => duplicates.parse(given);

function lead(annual_revenue: number | null, code?: string): Row {
  return row({ annual_revenue, custom_fields: { Region__c: code, ...(code && { CurrencyIsoCode: code }) } });
}

function mergedLeads(one: Row, other: Row): Row {
  return mergeRows(leads, [one, other], choices());
}

const yen = { annual_revenue: 500_000_000, currency: "JPY" };
const dollars = { annual_revenue: 3_000_000, currency: "USD" };

describe("an amount and its currency come from one record", () => {
  test.each([
    ["the first that has an amount", [{ annual_revenue: null, currency: "USD" }, yen], {}, yen],
    ["the first", [dollars, yen], {}, dollars],
    ["the one whose amount wins", [dollars, yen], { fields: { annual_revenue: "longest" } }, yen],
    ["the amount, whatever the currency's choice is", [dollars, yen], { fields: { currency: "newest" } }, dollars],
    ["one without a currency", [{ annual_revenue: 5, currency: null }, yen], {}, { annual_revenue: 5, currency: null }],
  ])("of %s", (_, [one, other], given, expected) => {
    expect(mergeRows(accounts, [row(one ?? {}), row(other ?? {}, 2)], choices(given))).toMatchObject(expected);
  });

  test("of none: the currency is that of the first that has one", () => {
    const rows = [
      row({ annual_revenue: null, currency: null }),
      row({ annual_revenue: null, currency: "JPY" }),
    ] as const;
    expect(mergeRows(accounts, [...rows], choices())).toMatchObject({ annual_revenue: null, currency: "JPY" });
  });

  test("of a record that is here, which takes both or neither", () => {
    const into = (here: object, given: object) =>
      mergeInto(accounts, row({ name: "Here", ...here }), [row(yen)], new Map(), choices(given));
    expect(into({ annual_revenue: null, currency: "EUR" }, { wins: "ours" })).toMatchObject(yen);
    expect(into(dollars, { wins: "ours" })).toMatchObject({ name: "Here", ...dollars });
    expect(into(dollars, {})).toMatchObject(yen);
  });

  test("of leads, whose currency is a custom field", () => {
    expect(mergedLeads(lead(null, "USD"), lead(5, "JPY"))).toMatchObject({
      annual_revenue: 5,
      custom_fields: { CurrencyIsoCode: "JPY", Region__c: "USD" },
    });
    expect(mergedLeads(lead(5), lead(7, "JPY")).custom_fields).not.toHaveProperty("CurrencyIsoCode");
  });

  test("only where the source says the currency: else what is here keeps its own", () => {
    const here = row({ annual_revenue: null, currency: "EUR" });
    const source = row({ annual_revenue: 5, currency: null });
    const merged = mergeInto(planOf("Account", { CurrencyIsoCode: null }), here, [source], new Map(), choices());
    expect(merged).toMatchObject({ annual_revenue: 5, currency: "EUR" });
  });
});
