import { describe, expect, test } from "vitest";

import { parseDuration } from "@/inngest/engine/answer";
import { inngestBackoff, retryDelay } from "@/inngest/engine/settle";

describe("how long a sleep lasts", () => {
  test.each([
    ["1s", 1000],
    ["1h30m", 5_400_000],
    ["2w1d", 15 * 86_400_000],
    ["", 0],
    ["2026-01-01T00:00:10.000Z", 10_000],
    ["2025-12-31T23:00:00.000Z", 0],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text, Date.parse("2026-01-01T00:00:00.000Z"))).toBe(milliseconds);
  });

  test("what is neither a duration nor a date is refused", () => {
    expect(() => parseDuration("soon")).toThrow("soon");
  });
});

describe("how long a retry waits", () => {
  test.each([
    [0, 15],
    [1, 30],
    [4, 300],
    [9, 7200],
    [30, 7200],
  ])("after attempt %i: %i s and up to half a minute more", (attempt, seconds) => {
    expect(inngestBackoff(attempt)).toBeGreaterThanOrEqual(seconds * 1000);
    expect(inngestBackoff(attempt)).toBeLessThanOrEqual(seconds * 1000 + 30_000);
  });

  test("as long as the function asked, in seconds or until a date, which may have passed", () => {
    expect(retryDelay("90", 0, inngestBackoff)).toBe(90_000);
    expect(retryDelay(new Date(Date.now() + 60_000).toISOString(), 0, inngestBackoff)).toBeGreaterThan(58_000);
    expect(retryDelay("2020-01-01T00:00:00.000Z", 0, inngestBackoff)).toBe(0);
  });

  test("as usual when it asked for nothing, or for something that is no time", () => {
    expect(retryDelay(null, 3, (attempt) => attempt * 10)).toBe(30);
    expect(retryDelay("later", 3, (attempt) => attempt * 10)).toBe(30);
  });
});
