import { expect, test } from "vitest";

import { formatAgo, formatMoney } from "@/components/ui/text/format";

test("amounts have the decimals of their currency, at most the two that are stored", () => {
  expect(formatMoney(1234.5, "EUR")).toBe("€1,234.50");
  expect(formatMoney(1234, "JPY")).toBe("¥1,234");
  expect(formatMoney(1234.4, "JPY")).toBe("¥1,234");
  expect(formatMoney(1234.57, "KWD")).toBe("KWD\u00a01,234.57");
  expect(formatMoney(1234.5, null)).toBe("1,234.5");
});

test.each([
  ["2026-07-04T17:00:00Z", "23 hours ago"],
  ["2026-07-04T21:30:00Z", "yesterday"],
  ["2026-07-04T22:30:00Z", "2 days ago"],
  ["2026-07-05T17:00:00Z", "2 days ago"],
  ["2026-07-06T08:00:00Z", "3 days ago"],
])("at %s, what was in the evening of July 3 is %s, by the days of the time zone", (now, ago) => {
  expect(formatAgo("2026-07-03T18:00:00Z", Date.parse(now), "Europe/Berlin")).toBe(ago);
});
