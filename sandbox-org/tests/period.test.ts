import { expect, test } from "vitest";

import { periodOf } from "@/sandbox-org/soql/period";

/** A Thursday. */
const NOW = new Date("2026-08-13T15:30:00Z");

test.each([
  ["TODAY", 0, "2026-08-13", "2026-08-14"],
  ["YESTERDAY", 0, "2026-08-12", "2026-08-13"],
  ["TOMORROW", 0, "2026-08-14", "2026-08-15"],
  ["THIS_WEEK", 0, "2026-08-09", "2026-08-16"],
  ["LAST_WEEK", 0, "2026-08-02", "2026-08-09"],
  ["THIS_MONTH", 0, "2026-08-01", "2026-09-01"],
  ["LAST_MONTH", 0, "2026-07-01", "2026-08-01"],
  ["NEXT_MONTH", 0, "2026-09-01", "2026-10-01"],
  ["THIS_QUARTER", 0, "2026-07-01", "2026-10-01"],
  ["THIS_YEAR", 0, "2026-01-01", "2027-01-01"],
  ["LAST_YEAR", 0, "2025-01-01", "2026-01-01"],
  ["LAST_90_DAYS", 0, "2026-05-15", "2026-08-14"],
  ["LAST_N_DAYS", 30, "2026-07-14", "2026-08-14"],
  ["NEXT_N_DAYS", 7, "2026-08-14", "2026-08-21"],
  ["LAST_N_MONTHS", 2, "2026-06-01", "2026-08-01"],
  ["N_DAYS_AGO", 5, "2026-08-08", "2026-08-09"],
])("%s (%i) runs from %s up to %s", (name, count, from, to) => {
  const period = periodOf(name, count, NOW);
  expect([period.from, period.to].map((moment) => moment.toISOString())).toEqual([
    `${from}T00:00:00.000Z`,
    `${to}T00:00:00.000Z`,
  ]);
});
