import { expect, test } from "vitest";

import { withParameters } from "@/lib/oauth/authorization/authorization-response";
import { redirectUriFault } from "@/lib/oauth/clients/client-fields";

test.each([
  "https://client.example/callback",
  "https://client.example:8443/callback?tenant=1",
  "https://client.example",
  "http://localhost:9999/callback",
  "http://127.0.0.1/callback",
  "http://[::1]:9999/callback",
  "https://[2001:db8::1]/callback",
  "HTTPS://Client.Example/callback",
])("%s may be registered", (uri) => {
  expect(redirectUriFault(uri)).toBeNull();
});

test.each([
  ["", "complete"],
  ["/callback", "complete"],
  ["client.example/callback", "complete"],
  ["https://client.example/call back", "complete"],
  ["https://client.example/caf\u00e9", "complete"],
  ["https://client.example/\nx", "complete"],
  ["http://client.example/callback", "https://"],
  ["http://localhost.evil.example/callback", "https://"],
  ["javascript:alert(1)", "https://"],
  ["data:text/html,x", "https://"],
  ["com.example.app:/callback", "https://"],
  ["https://client.example/callback#part", "fragment"],
  ["https://client.example/callback#", "fragment"],
  ["https://user:secret@client.example/callback", "password"],
  ["https://*.client.example/callback", "wildcards"],
  ["http://[2001:db8::1]/callback", "https://"],
  ["https://[2001:0db8::1]/callback", "two slashes"],
  ["https://client.example/callback?code=1", "query"],
  ["https://client.example/callback?a=b&state=", "query"],
  ["https://client.example/callback?error_uri=x", "query"],
  ["https://client.example/callback?error_description=", "query"],
  ["https://client.example;script-src/callback", "wildcards"],
  ["https:\\\\client.example\\callback", "complete"],
  ['https://client.example/"<>', "complete"],
  ["https:client.example/callback", "two slashes"],
  ["https:/client.example/callback", "two slashes"],
  ["https:///client.example/callback", "two slashes"],
  ["https://@client.example/callback", "two slashes"],
  ["https://cl%69ent.example/callback", "two slashes"],
  ["http://127.1/callback", "two slashes"],
  [`https://client.example/${"x".repeat(2000)}`, "2,000"],
])("%j may not be registered", (uri, reason) => {
  expect(redirectUriFault(uri)).toContain(reason);
});

test("parameters are added to the query, which stays unchanged", () => {
  expect(withParameters("https://c.example/cb", { code: "a b", state: undefined })).toBe(
    "https://c.example/cb?code=a%20b",
  );
  expect(withParameters("https://c.example/cb?a=%7e", { code: "x" })).toBe("https://c.example/cb?a=%7e&code=x");
  expect(withParameters("https://c.example/cb?", { code: "x" })).toBe("https://c.example/cb?code=x");
});
