import { expect, test } from "vitest";

import { parseRetryAfter } from "@/lib/outbound/retry-after";

const NOW = Date.parse("2026-11-21T12:00:00Z");

test.each([
  ["120", 120_000],
  [" 120 ", 120_000],
  ["99999999999999", 99_999_999_999_999_000],
  ["9".repeat(400), Number.POSITIVE_INFINITY],
  ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", 0],
  ["1e9", undefined],
  ["", undefined],
  [null, undefined],
])("Retry-After %j is %s ms", (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
