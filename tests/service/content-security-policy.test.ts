import { describe, expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";

const { base_url, admin } = readDemo();

/** The directives of an answer's policy: "script-src" → allowed sources. */
function policyOf(response: Response): Map<string, string> {
  const directives = (response.headers.get("content-security-policy") ?? "")
    .split("; ")
    .map((directive) => directive.split(" "));
  return new Map(directives.map(([name = "", ...sources]) => [name, sources.join(" ")]));
}

const PAGES = [
  "/",
  "/migration",
  "/migration/new",
  "/accounts",
  "/accounts/01890000-0000-7000-8000-000000000000",
  "/sign-out",
  "/no/such/page",
];

describe.each([...PAGES, "/sign-in", "/oauth/consent"])("%s", (path) => {
  const open = async (): Promise<Response> => {
    if (path === "/sign-in") return fetch(new URL(path, base_url));
    return (await signInBrowser({ baseUrl: base_url, ...admin })).get(path);
  };

  test("only allows scripts with its nonce, which all its scripts have and no other answer has", async () => {
    const [one, other] = [await open(), await open()];
    const scripts = policyOf(one).get("script-src");
    expect(scripts).toMatch(/^'self' 'nonce-[\w-]{43}' 'strict-dynamic'$/);
    expect(scripts).not.toBe(policyOf(other).get("script-src"));
    const nonce = /'nonce-([^']+)'/.exec(scripts ?? "")?.[1];
    const tags = [...(await one.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(tags.length).toBeGreaterThan(3);
    expect(tags.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
  });

  test("cannot be framed, sends forms only to this origin, and loads nothing from another", async () => {
    const policy = policyOf(await open());
    expect(Object.fromEntries(policy)).toMatchObject({
      "default-src": "'self'",
      "object-src": "'none'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
      "form-action": "'self'",
    });
  });
});

test.each([
  "/api/health/live",
  "/api/v1/accounts",
  "/oauth/authorize",
  "/oauth/token",
  "/.well-known/oauth-authorization-server",
  "/icon",
])("%s, which is no page, may load and run nothing", async (path) => {
  const policy = policyOf(await fetch(new URL(path, base_url)));
  expect(policy.get("default-src")).toBe("'none'");
  expect(policy.get("frame-ancestors")).toBe("'none'");
  expect(policy.has("script-src")).toBe(false);
});

test("the data of client-side navigation has the same policy", async () => {
  expect(policyOf(await fetch(new URL("/sign-in", base_url), { headers: { rsc: "1" } })).get("default-src")).toBe(
    "'none'",
  );
});
