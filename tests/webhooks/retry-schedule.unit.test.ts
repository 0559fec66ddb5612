import { expect, test } from "vitest";

import { nextAttemptAt } from "@/lib/webhooks/sending/record-attempts";

const now = new Date("2026-11-21T12:00:00Z");
const seconds = (at: Date | null) => at && (at.getTime() - now.getTime()) / 1000;

test("after the first attempt there are seven more, over a day and four hours, and then none", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => seconds(nextAttemptAt(tries, now, 0, 0.5)));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, null]);
});

test("each wait is up to a fifth shorter or longer", () => {
  expect([0, 1].map((random) => seconds(nextAttemptAt(2, now, 0, random)))).toEqual([240, 360]);
  const many = new Set(Array.from({ length: 50 }, () => seconds(nextAttemptAt(4, now))));
  expect(many.size).toBeGreaterThan(40);
});

test("`Retry-After` prolongs the wait, up to a day, and never shortens it", () => {
  expect(seconds(nextAttemptAt(1, now, 90_000, 0.5))).toBe(90);
  for (const asked of [7 * 86_400_000, Number.POSITIVE_INFINITY])
    expect(seconds(nextAttemptAt(1, now, asked, 0.5))).toBe(86_400);
  expect(seconds(nextAttemptAt(3, now, 1000, 0.5))).toBe(1800);
  expect(nextAttemptAt(8, now, 90_000, 0.5)).toBeNull();
});
