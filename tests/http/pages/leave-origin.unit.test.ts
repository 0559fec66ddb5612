import { expect, test } from "vitest";

import { leaveOrigin, seeOther } from "@/lib/http/pages/redirects";

/** The `accept` header of a browser that opens a page. */
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

function answer(headers: HeadersInit, location: string): Response {
  return leaveOrigin(new Request("https://crm.example/oauth/authorize", { headers }), { location }, ["a=1", "b=2"]);
}

test("a browser gets a page that goes there by itself, with a link as a fallback", async () => {
  const response = answer(BROWSER, "https://app.example:8443/cb?a='\"&code=x");
  expect(response.status).toBe(200);
  expect(response.headers.get("location")).toBeNull();
  expect(response.headers.get("refresh")).toBe("0; url=https://app.example:8443/cb?a='\"&code=x");
  const html = await response.text();
  expect(html).toContain('href="https://app.example:8443/cb?a=&#39;&quot;&amp;code=x"');
  expect(html).toContain("Go on to app.example:8443");
});

test.each<HeadersInit>([{}, { accept: "*/*" }, { accept: "application/json" }])(
  "a program that accepts %j is redirected",
  (headers) => {
    const response = answer(headers, "https://app.example/cb");
    expect([response.status, response.headers.get("location"), response.body]).toEqual([
      303,
      "https://app.example/cb",
      null,
    ]);
  },
);

test.each<HeadersInit>([BROWSER, {}])("neither is stored, sends a referrer, or loses a cookie", (headers) => {
  const response = answer(headers, "https://app.example/cb");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test.each(["https://app.example/cb", "//app.example/cb", "app.example", ""])(
  "the response to a form is never a redirect to %j",
  (location) => {
    expect(() => seeOther(location)).toThrow("a path of ours");
  },
);

test.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  " JavaScript:alert(1)",
  "vbscript:x",
  "file:///etc/passwd",
  "/paths/of/ours",
  "",
])("nobody is sent to %j, neither by a page nor by a redirect", (location) => {
  for (const headers of [BROWSER, {}])
    expect(() => answer(headers, location)).toThrow(/is sent only to https: or http:|Invalid URL/);
});
