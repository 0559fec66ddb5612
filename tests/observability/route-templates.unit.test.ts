import { expect, test } from "vitest";

import { templatesOf } from "@/scripts/service/route-templates";

const templateOf = templatesOf([
  "/",
  "/[resource]",
  "/migration/new",
  "/migration/[id]",
  "/api/v1/[resource]/[id]",
  "/api/v1/cases/[id]/comments",
  "/api/[[...path]]",
  "/.well-known/[...path]",
]);

test.each([
  ["/", "/"],
  ["/accounts", "/{resource}"],
  ["/migration/new", "/migration/new"],
  ["/migration/0199", "/migration/{id}"],
  ["/api/v1/cases/0199", "/api/v1/{resource}/{id}"],
  ["/api/v1/cases/0199/comments", "/api/v1/cases/{id}/comments"],
  ["/api/v1/cases/0199/comments/5", "/api/{...path}"],
  ["/api", "/api/{...path}"],
  ["/.well-known/a/b", "/.well-known/{...path}"],
  ["/.well-known", "/{resource}"],
  ["/_next/static/chunks/1.js", "/_next/{...path}"],
  ["/a/b/c", "none"],
  ["/__proto__/constructor", "none"],
])("the route of %s is %s, which names nothing that a caller wrote", (path, template) => {
  expect(templateOf(path)).toBe(template);
});
