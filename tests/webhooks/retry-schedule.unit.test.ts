import { expect, test } from "vitest";

import { retryDelay } from "@/lib/webhooks/sending/retry-schedule";

const seconds = (delay: number | null) => delay && delay / 1000;

test("after the first attempt there are seven more, over a day and four hours, and then none", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => seconds(retryDelay(tries, 0, 0.5)));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, null]);
});

test("each wait is up to a fifth shorter or longer", () => {
  expect([0, 1].map((random) => seconds(retryDelay(2, 0, random)))).toEqual([240, 360]);
  const many = new Set(Array.from({ length: 50 }, () => seconds(retryDelay(4))));
  expect(many.size).toBeGreaterThan(40);
});

test("`Retry-After` prolongs the wait, up to a day, and never shortens it", () => {
  expect(seconds(retryDelay(1, 90_000, 0.5))).toBe(90);
  for (const asked of [7 * 86_400_000, Number.POSITIVE_INFINITY])
    expect(seconds(retryDelay(1, asked, 0.5))).toBe(86_400);
  expect(seconds(retryDelay(3, 1000, 0.5))).toBe(1800);
  expect(retryDelay(8, 90_000, 0.5)).toBeNull();
});
