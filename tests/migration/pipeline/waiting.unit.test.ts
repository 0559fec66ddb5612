import { expect, test } from "vitest";

import { WAITING_TIMEOUT_MS, retryDelayAfter } from "@/lib/migration/pipeline/waiting";

const RETRIES = 20;

test("pauses grow to a minute, follow Retry-After up to five, and together exceed the timeout of a run", () => {
  expect([0, 1, 2, 3, 4, 19].map((attempt) => retryDelayAfter(attempt) / 1000)).toEqual([5, 10, 20, 40, 60, 60]);
  expect([0, 30, 86_400].map((retryAfter) => retryDelayAfter(0, retryAfter) / 1000)).toEqual([5, 30, 300]);
  const all = Array.from({ length: RETRIES }, (_, attempt) => retryDelayAfter(attempt));
  expect(all.reduce((sum, pause) => sum + pause)).toBeGreaterThan(WAITING_TIMEOUT_MS);
});
