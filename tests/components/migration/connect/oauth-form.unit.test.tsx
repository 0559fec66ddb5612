import { expect, test } from "vitest";

import { OauthForm } from "@/components/migration/connect/oauth-form";
import { markupOf } from "@/tests/components/support/app-router";

test("who connects an org again signs in at the same one", () => {
  expect(markupOf(<OauthForm instanceUrl="https://acme.my.salesforce.com" />)).toContain(
    'value="https://acme.my.salesforce.com"',
  );
});

test("who connects for the first time says where they sign in", () => {
  expect(markupOf(<OauthForm instanceUrl="" />)).toMatch(/checked=""[^>]*value="production"/);
});
