import { join } from "node:path";

import { expect, test } from "vitest";

import { assertLightPages, weighPages } from "@/scripts/service/page-weights";

test("no page of the built service loads more JavaScript than its limit", async () => {
  const weights = await weighPages(join(import.meta.dirname, "../../.next"));
  expect(weights.length).toBeGreaterThan(30);
  expect(() => assertLightPages(weights)).not.toThrow();
});
