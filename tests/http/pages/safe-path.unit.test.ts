import { expect, test } from "vitest";

import { safePath } from "@/lib/http/pages/redirects";

test.each(["/", "/accounts", "/accounts?limit=1", "/oauth/authorize?client_id=a&state=%2F%2Fb"])(
  "%s leads to a page of ours",
  (path) => {
    expect(safePath(path)).toBe(path);
  },
);

test.each([
  null,
  "",
  "accounts",
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/./\\evil.example",
  "/accounts/..//evil.example/x",
  "/%2e//evil.example",
  "/%2E%2e/.//evil.example",
  "/\t/evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
])("%s leads nowhere but to the first page", (path) => {
  expect(safePath(path)).toBe("/");
});
