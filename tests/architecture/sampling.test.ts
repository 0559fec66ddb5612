import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** With these, `npm test -- --exhaustive` alone tries all: `npm run rehearse` starts no service for them. */
const OF_THE_SERVICE = ["tests/service/**", "tests/e2e/**"];

test("every suite that takes a sample in npm test is among those that npm run rehearse tries whole", () => {
  const code = globSync("tests/**/*.{ts,tsx}", { exclude: OF_THE_SERVICE });
  const sampling = code.filter((file) => /from "@\/tests\/support\/exhaustive"/.test(readFileSync(file, "utf8")));
  expect(sampling.length).toBeGreaterThan(10);
  const [, list = ""] = /^const SAMPLED = \[([^\]]*)\];$/m.exec(readFileSync("vitest.config.ts", "utf8")) ?? [];
  const named = [...list.matchAll(/"([^"]+)"/g)].flatMap(([, pattern = ""]) => globSync(pattern));
  expect(named.toSorted()).toEqual(sampling.toSorted());
});
