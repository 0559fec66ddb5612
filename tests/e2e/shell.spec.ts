import { expect } from "@playwright/test";

import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/signed-in";
import { test as signedOut } from "@/tests/e2e/support/watched";

test("the first Tab stop leads past the navigation to the content", async ({ page }) => {
  await page.goto("/accounts");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

for (const path of [
  "/",
  "/migration",
  "/accounts",
  "/contacts",
  "/cases",
  "/case_comments",
  "/activities",
  "/leads",
  "/opportunities",
  "/products",
]) {
  test(`${path} can be read by everybody`, async ({ page }) => {
    await page.goto(path);
    await expectSoundPage(page);
  });
}

test("a record that does not exist is reported as missing, with a link to the list", async ({ page }) => {
  await page.goto("/accounts/01890000-0000-7000-8000-000000000000");
  const alert = page.getByRole("alert").filter({ hasText: "Not found" });
  await expect(alert.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await alert.getByRole("link", { name: "All accounts" }).click();
  await expect(page).toHaveURL("/accounts");
});

for (const path of ["/nothing", "/nothing/at/all"]) {
  test(`${path} is reported as no page`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(/^Page not found/);
    await expect(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
    await expect(page.getByRole("main")).toHaveCount(1);
  });
}

signedOut("signing out ends the session: Back leads to the sign-in page", async ({ page }) => {
  await signIn(page, "/accounts");
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto("/accounts");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
});
