import { beforeEach, expect, test } from "vitest";

import { accounts, createKnownUser, reasonsOf, signInAs, useProvider } from "@/tests/sessions/support/oidc-service";

const FAILED = "/sign-in?error=oidc_failed";
let account: string;

beforeEach(async () => {
  ({ account } = await createKnownUser());
});

test.each([
  ["has expired", { exp: 1 }, "JWT expired"],
  ["is another issuer's", { iss: "https://evil.example" }, "unexpected iss value"],
  ["is for another client", { aud: "another" }, "aud mismatch"],
  ["answers another request", { nonce: "another" }, "nonce mismatch"],
  ["does not say who it is", { sub: undefined }, "missing required JWT property sub"],
])("an ID token that %s is not believed, well signed as it is", async (_what, claims, reason) => {
  const forger = await useProvider({ forgeClaims: (given) => ({ ...given, ...claims }) });
  try {
    const attempt = await reasonsOf(() => signInAs(account));
    expect(attempt).toEqual({ location: FAILED, reasons: [expect.stringContaining(reason)] });
  } finally {
    await forger.stop();
  }
});

test("the e-mail of the ID token takes precedence over that of the userinfo endpoint", async () => {
  const forger = await useProvider({
    forgeClaims: (given) => ({ ...given, email: "nobody@example.com", email_verified: true }),
  });
  try {
    expect(await signInAs(account)).toBe("/sign-in?error=oidc_unknown");
  } finally {
    await forger.stop();
  }
});

test("an e-mail counts as verified only if the same response says so", async () => {
  const email = accounts.get(account)?.email;
  accounts.set(account, { email_verified: true });
  const forger = await useProvider({ forgeClaims: (given) => ({ ...given, email }) });
  try {
    expect(await signInAs(account)).toBe("/sign-in?error=oidc_unverified");
  } finally {
    await forger.stop();
  }
});
