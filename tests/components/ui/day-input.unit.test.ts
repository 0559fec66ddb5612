import { expect, test } from "vitest";

import { settledDay } from "@/components/ui/form/day-input";

test("no digit of a year takes effect before the last", () => {
  const typed = ["0002-03-04", "0020-03-04", "0202-03-04", "2026-03-04"];
  expect(typed.map((day) => settledDay(day, ""))).toEqual(["", "", "", "2026-03-04"]);
});

test("while a year is typed over, the day before it stays in effect, and a day can be taken away", () => {
  expect(settledDay("0002-03-04", "2025-03-04")).toBe("2025-03-04");
  expect(settledDay("", "2025-03-04")).toBe("");
});
