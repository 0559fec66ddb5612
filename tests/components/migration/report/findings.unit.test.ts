import { expect, test } from "vitest";

import { fillInWords } from "@/components/migration/report/findings";

/** As the analysis stores it: the rate has four decimals. */
function words(filled: number, of: number, measured: "counted" | "sampled" = "counted"): string | null {
  return fillInWords({ filled, of, rate: of === 0 ? null : Number((filled / of).toFixed(4)), measured });
}

test.each([
  [0, 100_000, "0 %"],
  [1, 100_000, "under 1 %"],
  [45_000, 100_000, "45 %"],
  [99_999, 100_000, "over 99 %"],
  [100_000, 100_000, "100 %"],
])("%i filled of %i are %s", (filled, of, share) => {
  expect(words(filled, of)).toBe(share);
});

test("a share of a sample is about so, and all only if all of it are filled", () => {
  expect(words(1, 200, "sampled")).toBe("about 1 %");
  expect(words(199, 200, "sampled")).toBe("about 99 %");
  expect(words(200, 200, "sampled")).toBe("about 100 %");
});

test("nothing is said where no record was looked at, or nothing was measured", () => {
  expect(words(0, 0)).toBeNull();
  expect(fillInWords(null)).toBeNull();
  expect(fillInWords(undefined)).toBeNull();
});
