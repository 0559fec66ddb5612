import { globSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const routes = globSync(["app/api/**/route.ts", "app/oauth/**/route.ts", "app/.well-known/**/route.ts"], {
  cwd: ROOT,
}).toSorted();

test("the routes are found", () => {
  expect(routes).toContain("app/api/[[...path]]/route.ts");
  expect(routes).toContain("app/.well-known/oauth-authorization-server/route.ts");
  expect(routes.length).toBeGreaterThan(20);
});

// For a method that a route does not export, Next sends a bare 405 without allowed methods and problem.
test.each(routes)("%s answers every method itself", async (route) => {
  const methods = (await import(join(ROOT, route))) as Record<string, unknown>;
  expect(Object.keys(methods)).toEqual(expect.arrayContaining(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]));
});
