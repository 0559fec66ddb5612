import { expect } from "@playwright/test";

import { fillConnection } from "@/tests/e2e/support/connect-org";
import { readDemo } from "@/tests/e2e/support/demo";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

test("a refused access token is explained beside the form, and the focus goes there", async ({ page }) => {
  await page.goto("/migration/new");
  await fillConnection(page, readDemo().sandbox_org.ext_instance_url, "00Dx0000000000!refused");
  const alert = page.getByRole("alert").filter({ hasText: "Salesforce refused the access token" });
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("Get a new access token");
  await expect(alert.getByRole("link", { name: "Setup › Session Settings" })).toHaveAttribute(
    "href",
    "https://login.salesforce.com/lightning/setup/SecuritySession/home",
  );
  await expectSoundPage(page);
});

test("a text that is no address marks its field and says what an address looks like", async ({ page }) => {
  await page.goto("/migration/new");
  await fillConnection(page, "not an address", "00Dx0000000000!any");
  await expect(page.getByRole("alert").filter({ hasText: "my.salesforce.com" })).toBeFocused();
  await expect(page.getByLabel("Address of your Salesforce org")).toHaveAttribute("aria-invalid", "true");
});

test("an empty form is not sent", async ({ page }) => {
  await page.goto("/migration/new");
  await page.getByRole("button", { name: "Connect and analyze" }).click();
  await expect(page.getByText("Enter an access token of your Salesforce org.")).toBeVisible();
});
