import { afterEach, beforeEach, expect, test } from "vitest";

import { OIDC_SENTENCES } from "@/app/api/auth/oidc-error";
import { signInErrorSentence } from "@/app/api/auth/sign-in-error";
import { setProvider } from "@/tests/sessions/support/oidc-service";

const OURS =
  "The sign-in failed for a reason on our side. Try again; if it keeps failing, tell whoever runs this service.";
const PROVIDER = { issuer: "https://login.example.com", clientId: "crm", clientSecret: "secret" };

beforeEach(() => setProvider(PROVIDER));
afterEach(() => setProvider({ issuer: "", clientId: "", clientSecret: "" }));

test.each([
  ["denied", "Example ID did not let you in, or you cancelled there."],
  ["unreachable", "Example ID cannot be reached at the moment."],
  ["failed", "Example ID did not confirm who you are."],
  ["stale", "This sign-in was begun in another browser, in another tab, or too long ago."],
  ["unknown", "Example ID knows you, but you are not a member here."],
  ["unverified", "Example ID has not verified your e-mail address"],
  ["disabled", "Your user here is disabled."],
  ["no_organization", "You are no longer a member"],
  ["linked_elsewhere", "linked to another account at Example ID"],
])("why a sign-in through the provider came to nothing is said in a sentence: %s", (failure, sentence) => {
  expect(signInErrorSentence(`oidc_${failure}`)).toContain(sentence);
  expect(Object.keys(OIDC_SENTENCES)).toHaveLength(9);
});

test("an invented error, or one without a provider, gets a sentence that names no provider", () => {
  expect(signInErrorSentence("oidc_constructor")).toBe(OURS);
  setProvider({ issuer: "", clientId: "", clientSecret: "" });
  expect(signInErrorSentence("oidc_denied")).toBe(OURS);
});
