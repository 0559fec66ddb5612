import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const code = globSync("{app,inngest,lib,scripts}/**/*.{ts,tsx}", { exclude: ["lib/generated/**"] });

test("nothing asks Prisma for a row by findUnique: it gathers those of one tick into one statement, in the scope of one of several organizations", () => {
  expect(code.length).toBeGreaterThan(500);
  const found = code.filter((file) => /\.findUnique/.test(readFileSync(file, "utf8")));
  expect(found, "findFirst is sent by itself").toEqual([]);
});
