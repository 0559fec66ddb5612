import { afterEach, expect, test } from "vitest";

import { conversionOf, initialConversion } from "@/components/records/convert/conversion-values";
import { showTimesIn } from "@/components/ui/text/time-zone";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";

const ID = "01890000-0000-7000-8000-000000000000";

const LEAD = { id: ID, created_at: "", custom_fields: {}, company: "Neckar Pumpen", last_name: "Okafor" };

afterEach(() => showTimesIn(null));

test("a conversion can be sent as it begins, with a new opportunity", () => {
  const input = { id: ID, ...conversionOf(initialConversion(LEAD), null) };
  expect(convertLead.input.safeParse(input).error).toBeUndefined();
  expect(input).toHaveProperty("create_opportunity");
});

test.each([
  ["Asia/Tokyo", "2026-07-31"],
  ["America/New_York", "2026-07-30"],
])("its opportunity closes 30 days after the day in %s: %s", (zone, day) => {
  showTimesIn(zone);
  expect(initialConversion(LEAD, new Date("2026-06-30T22:30:00Z")).close_date).toBe(day);
});

function amountOf(amount: string): unknown {
  const { create_opportunity: made } = conversionOf({ ...initialConversion(LEAD), amount }, null);
  return (made as { amount?: unknown }).amount;
}

test("its amount is read as in every form, and an empty one is not sent", () => {
  expect([amountOf("12,500.50"), amountOf(" "), amountOf("many")]).toEqual([12_500.5, undefined, "many"]);
});
