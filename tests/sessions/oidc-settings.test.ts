import { expect, test, vi } from "vitest";

import { readSettings } from "@/tests/support/read-settings";

const COMPLETE = {
  OIDC_ISSUER: "https://login.example.com",
  OIDC_CLIENT_ID: "crm",
  OIDC_CLIENT_SECRET: "s3cret-value",
  OIDC_NAME: "Example ID",
};

const read = (settings: Record<string, string>) => readSettings({ ALLOW_PRIVATE_NETWORK: "false", ...settings });

test("the settings of a provider count only together", async () => {
  expect(await read({ ...COMPLETE, OIDC_EMAIL_DOMAINS: " Example.com, ,corp.example " })).toMatchObject({
    ...COMPLETE,
    OIDC_EMAIL_DOMAINS: ["example.com", "corp.example"],
  });
  vi.unstubAllEnvs();
  const without = await read({ OIDC_ISSUER: "", OIDC_NAME: "" });
  expect([without.OIDC_ISSUER, without.OIDC_NAME, without.OIDC_EMAIL_DOMAINS]).toEqual([undefined, undefined, []]);
});

test.each(Object.keys(COMPLETE))(
  "without %s alone the service says that it needs all of them, and repeats no secret",
  async (missing) => {
    const fault = await read({ ...COMPLETE, [missing]: "" }).catch((error: unknown) => String(error));
    expect(fault).toContain(
      `${missing}: is not set. Sign-in through a provider needs all of OIDC_ISSUER, OIDC_CLIENT_ID`,
    );
    expect(fault).not.toContain(COMPLETE.OIDC_CLIENT_SECRET);
  },
);

test.each([
  ["no address", { OIDC_ISSUER: "login.example.com" }, "OIDC_ISSUER: must be an address"],
  ["an address without TLS", { OIDC_ISSUER: "http://login.example.com" }, "OIDC_ISSUER: must begin with https://"],
  [
    "an address with a query",
    { OIDC_ISSUER: "https://login.example.com/?tenant=1" },
    "OIDC_ISSUER: must have no user name, query or fragment",
  ],
  [
    "domains that are none",
    { OIDC_EMAIL_DOMAINS: "example.com, @corp.example" },
    "OIDC_EMAIL_DOMAINS: must be domains like example.com",
  ],
  ["domains without a provider", { OIDC_ISSUER: "", OIDC_EMAIL_DOMAINS: "example.com" }, "OIDC_ISSUER: is not set"],
])("%s in the settings is refused with a sentence", async (_what, change, sentence) => {
  await expect(read({ ...COMPLETE, ...change })).rejects.toThrow(sentence);
});

test.each([
  ["http://localhost:8080", {}],
  ["http://keycloak:8080/realms/crm", { ALLOW_PRIVATE_NETWORK: "true" }],
])("a provider on this machine, or in a network said to be private, may do without TLS: %s", async (issuer, more) => {
  expect(await read({ ...COMPLETE, OIDC_ISSUER: issuer, ...more })).toMatchObject({ OIDC_ISSUER: issuer });
});

test("over https the cookies of an attempt are bound to this host", async () => {
  await read({ APP_URL: "https://crm.example.com" });
  const { clearedOidcCookies, OIDC_COOKIES } = await import("@/lib/sessions/browser-sessions/cookies");
  for (const { name, options } of Object.values(OIDC_COOKIES)) {
    expect(name).toMatch(/^__Host-crm-oidc-/);
    expect(options).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax", path: "/", maxAge: 900 });
  }
  for (const cookie of clearedOidcCookies())
    expect(cookie).toMatch(/^__Host-crm-oidc-\w+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/);
});
