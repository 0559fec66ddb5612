import { describe, expect, test } from "vitest";

import { requestTargetFault } from "@/lib/http/api/request-target";

describe("an API request that would not reach its route unchanged is refused", () => {
  test.each(["__proto__", "%5f_proto__", "nextInternalLocale", "nxtPresource", "nxtIx"])(
    "for the parameter %s, by name",
    (name) => {
      for (const target of [`/api/v1/accounts?${name}=1`, `/api/v1/accounts?limit=1&${name}`]) {
        expect(requestTargetFault("GET", target)).toMatchObject({
          code: "unknown_parameter",
          errors: [{ code: "unknown_parameter", pointer: `?${decodeURIComponent(name)}` }],
        });
      }
    },
  );

  test.each([
    "/api/v1/accounts?ext_id=%ED%A0%80",
    "/api/v1/accounts?limit=%",
    "/api/v1/accounts?%FF=1",
    "/api/v1/accounts/%C3",
    "/api/v1/accounts/by_ext_id/%ff",
  ])("%s", (target) => {
    expect(requestTargetFault("GET", target)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("%25"),
    });
  });

  test.each(["TRACE", "PROPFIND", "FOO", "get"])("for the method %s, naming the supported ones", (method) => {
    expect(requestTargetFault(method, "/api/v1/accounts")).toMatchObject({
      code: "method_not_allowed",
      headers: { allow: expect.stringContaining("GET, HEAD, POST") },
    });
  });
});

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s of a file that pages load is refused", (method) => {
  expect(requestTargetFault(method, "/_next/static/chunks/a.js")).toMatchObject({
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD" },
  });
  for (const read of ["GET", "HEAD"]) expect(requestTargetFault(read, "/_next/static/chunks/a.js")).toBeUndefined();
});

test.each([
  "/api/v1/accounts",
  "/api/v1/accounts?limit=1&cursor=x",
  "/api/v1/accounts?ext_id=a+b%26%C3%A9?x=__proto__",
  "/api/v1/accounts?proto=1&nxt=1",
  "/accounts?_rsc=1&__proto__=1",
  "/oauth/authorize?state=%",
])("%s passes", (target) => {
  expect(requestTargetFault("GET", target)).toBeUndefined();
});

test.each(["/sign-in", "/accounts/new", "/nothing", "/oauth/consent", "/_next/static/x.js", "/"])(
  "%s is only read",
  (path) => {
    for (const method of ["GET", "HEAD"]) expect(requestTargetFault(method, path)).toBeUndefined();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect(requestTargetFault(method, path)).toMatchObject({
        code: "method_not_allowed",
        headers: { allow: "GET, HEAD" },
      });
  },
);

test.each(["/api/auth/sign-in", "/api", "/oauth/token", "/oauth/consent/decision", "/.well-known/nothing"])(
  "what is sent to %s reaches its handler",
  (path) => {
    expect(requestTargetFault("POST", path)).toBeUndefined();
  },
);
