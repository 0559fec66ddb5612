import { expect, test } from "vitest";

import { assertWithinLimits, titleOf } from "@/scripts/bench/limits";

const rows = { name: "first rows", unit: "ms", limit: { atMost: 300 } };
const frames = { name: "frames / floor", unit: "", limit: { atLeast: 0.95 } };

test("a benchmark fails by naming each figure that is beyond its limit, and no other", () => {
  expect(() => assertWithinLimits([{ name: "p50, p99", value: "3, 9", unit: "ms" }])).not.toThrow();
  expect(() =>
    assertWithinLimits([
      { ...rows, value: 300 },
      { ...frames, value: 0.95 },
    ]),
  ).not.toThrow();
  const slow = [
    { ...rows, value: 301 },
    { ...frames, value: 0.949 },
    { ...rows, name: "others", value: 1 },
  ];
  expect(() => assertWithinLimits(slow)).toThrow(
    "beyond their limits: first rows (at most 300): 301 ms; frames / floor (at least 0.95): 0.949.",
  );
  expect(() => assertWithinLimits([{ ...rows, value: Number.NaN }])).toThrow("NaN");
});

test("a figure is printed and saved with its limit", () => {
  expect(titleOf({ ...rows, value: 1 })).toBe("first rows (at most 300)");
  expect(titleOf({ name: "rows", value: 1, unit: "" })).toBe("rows");
});
