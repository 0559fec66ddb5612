import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const code = globSync("{app,inngest,lib,scripts}/**/*.{ts,tsx}", { exclude: ["lib/generated/**"] });

test("nothing calls findUnique, which Prisma batches across the scopes of organizations", () => {
  expect(code.length).toBeGreaterThan(450);
  const found = code.filter((file) => /\.findUnique/.test(readFileSync(file, "utf8")));
  expect(found, "findFirst is sent by itself").toEqual([]);
});
