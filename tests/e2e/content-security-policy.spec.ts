import { expect } from "@playwright/test";

import { test as signedIn } from "@/tests/e2e/support/signed-in";
import { test } from "@/tests/e2e/support/watched";

/** What an attacker would inject into a page: a script, and a handler in an attribute. */
const INJECTED = `<script>window.injected = true</script><img src="data:," alt="" onerror="window.injected = true">`;

test("an injected script does not run, and the page's own do", async ({ page, violations }) => {
  await page.route("**/sign-in", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("</body>", `${INJECTED}</body>`) });
  });
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Show or hide the password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
  await expect.poll(() => violations.length).toBe(2);
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
  violations.length = 0;
});

test("a page that does not exist obeys its policy", async ({ page }) => {
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "There is no such page" })).toBeVisible();
});

signedIn("going from page to page, back, and reloading obey it, too", async ({ page }) => {
  await page.goto("/accounts");
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole("link", { name: "Contacts", exact: true }).first().click();
  await page.waitForURL(/\/contacts/);
  await page.goBack();
  await page.waitForURL(/\/accounts/);
  await page.reload();
  await page.goto("/sign-out");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
});
