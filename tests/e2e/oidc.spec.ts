import { expect, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/watched";

/** Signs in at the provider that `npm test` starts, whose accounts are e-mail addresses. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a member signs in through the OpenID provider and is led to the page that they opened", async ({ page }) => {
  await page.goto("/products");
  await expectSoundPage(page);
  await signInAtProvider(page, readDemo().admin.email);
  await page.waitForURL((url) => url.pathname === "/products");
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
});

test("somebody who is not a member reads so on the sign-in page, and can try again", async ({ page }) => {
  await page.goto("/contacts");
  await signInAtProvider(page, "nobody@example.com");
  await expect(
    page.getByRole("alert").filter({ hasText: "Example ID knows you, but you are not a member here." }),
  ).toBeFocused();
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await page.waitForURL((url) => url.pathname === "/sign-in" && url.searchParams.get("next") === "/contacts");
});

test("somebody who cancels at the provider reads so, and can use the password instead", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "you cancelled there" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("signing in through the OpenID provider works, too", async ({ page }) => {
    await page.goto("/sign-in?next=%2Fleads");
    await signInAtProvider(page, readDemo().admin.email);
    await page.waitForURL((url) => url.pathname === "/leads");
  });
});
