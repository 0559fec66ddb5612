import { expect } from "@playwright/test";

import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

test("the start page counts the records and tells of a change", async ({ page }) => {
  const name = `Neckarwerk ${crypto.randomUUID()}`;
  await page.goto("/accounts/new");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();

  await page.goto("/");
  const accounts = page.getByRole("list", { name: "Records" }).getByRole("link", { name: /^[1-9][\d,]* Accounts?$/ });
  await expect(accounts).toBeVisible();
  await expectSoundPage(page);
  const change = page.getByRole("listitem").filter({ hasText: name });
  await expect(change).toContainText("Account created");
  await change.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
});

test("an organization without records reads what to do first", async ({ page }) => {
  const data = ["accounts", "contacts"].map((resource) => ({ resource, records: 0 }));
  await page.route("**/record_counts", (route) => route.fulfill({ json: { data } }));
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Connect a Salesforce org" })).toHaveAttribute("href", "/migration/new");
  await expect(page.getByRole("link", { name: "Add members" })).toBeVisible();
  await expectSoundPage(page);
});

test("counts that cannot be read are explained, and can be requested again", async ({ page }) => {
  const problem = { title: "Unavailable", status: 503, code: "unavailable", detail: "The database does not answer." };
  await page.route("**/record_counts", (route) => route.fulfill({ status: 503, json: problem }));
  await page.goto("/");
  const alert = page.getByRole("alert").filter({ hasText: "The database does not answer" });
  await expect(alert).toBeVisible();
  await page.unroute("**/record_counts");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toHaveCount(0);
});
