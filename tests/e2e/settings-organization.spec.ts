import { expect } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { createOwnOrganization } from "@/tests/e2e/support/own-organization";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/watched";

const PATH = "/settings/organization";

test("an admin changes name, currency and time zone, which hold on other pages, and exports all data @phone", async ({
  page,
}) => {
  const { admin, name } = await createOwnOrganization();
  await signIn(page, PATH, admin);
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await expect(page.getByText("Audit log", { exact: true }).last()).toBeVisible();
  await expectSoundListedPage(page, "settings-organization");

  await page.getByLabel("Name").fill(`${name} Ltd`);
  await page.getByLabel("Default currency").selectOption("CHF, Swiss Franc");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved.")).toBeAttached();
  await expectSoundPage(page);

  await page.getByRole("radio", { name: "NDJSON" }).press("ArrowDown");
  await expect(page.getByRole("radio", { name: "CSV" })).toBeChecked();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export all data" }).press("Enter");
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^all-data-[\d-]+-csv\.zip$/);
  expect(await download.failure()).toBeNull();

  await page.goto("/opportunities/new");
  await expect(page.getByLabel("Currency")).toHaveValue("CHF");
  await page.goto("/settings/audit-log");
  const entry = page.getByRole("listitem").filter({ hasText: "changed the organization" });
  await expect(entry).toContainText("default currency to CHF, time zone to Asia/Tokyo");
  await entry.getByText("changed the organization").click();
  await expect(entry).toContainText("GMT+9");
  await expect(page.getByText("began to export all data of the organization as CSV")).toBeVisible();
});

test("a change that another admin was faster with is shown, and can be replaced", async ({ page }) => {
  const { admin, name } = await createOwnOrganization();
  await signIn(page, PATH, admin);
  await page.getByLabel("Name").fill(`${name} mine`);
  const answer = await page.request.patch("/api/v1/settings/organization", {
    data: { name: `${name} theirs` },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(answer.status()).toBe(200);
  await page.getByRole("button", { name: "Save changes" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "This organization was changed meanwhile" });
  await expect(notice).toContainText(`The name is now ${name} theirs.`);
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved.")).toBeAttached();
  await expect(page.getByLabel("Name")).toHaveValue(`${name} mine`);
});

test("a member reads what an admin changes", async ({ page }) => {
  const { member, name } = await createOwnOrganization();
  await signIn(page, PATH, member);
  await expect(page.getByRole("main").getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByText("Everybody sees their own")).toBeVisible();
  await expect(page.getByRole("button", { name: /Save|Delete/ })).toHaveCount(0);
  await expectSoundPage(page);
});

test("an admin deletes the organization, by name and password, and nobody is signed in any more", async ({
  page,
  browser,
}) => {
  const { admin, member, name } = await createOwnOrganization();
  const theirs = await browser.newPage({ baseURL: new URL(test.info().project.use.baseURL ?? "").origin });
  await signIn(theirs, "/settings/account", member);

  await signIn(page, PATH, admin);
  await page.getByRole("button", { name: "Delete the organization" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("None of the 2 members can sign in any more");
  const exporting = dialog.getByRole("link", { name: "Export all data before you delete" });
  await expect(exporting).toHaveAttribute("href", "/api/v1/settings/organization/export?format=ndjson");
  await expectSoundPage(page);
  await dialog.getByLabel(/^Type/).fill("something else");
  await dialog.getByRole("button", { name: "Delete it for good" }).click();
  await expect(dialog).toContainText("That is not the organization’s name.");
  await dialog.getByLabel(/^Type/).fill(name);
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Delete it for good" }).click();
  await expect(dialog).toContainText("This is not your password.");
  await dialog.getByLabel("Your password").fill(admin.password);
  await dialog.getByRole("button", { name: "Delete it for good" }).click();
  await expect(dialog).toContainText("Everybody is signed out, you as well.");
  await expect(dialog).toBeFocused();
  await expectSoundPage(page);

  await dialog.getByRole("link", { name: "Leave this page" }).click();
  await expect(page.getByLabel("E-mail address")).toBeVisible();
  await theirs.goto("/settings/account");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await theirs.getByLabel("E-mail address").fill(member.email);
  await theirs.getByLabel("Password", { exact: true }).fill(member.password);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs.getByRole("alert").first()).toBeVisible();
  await theirs.close();
});

test("the overview of the settings leads to each of them", async ({ page }) => {
  const { member } = await createOwnOrganization();
  await signIn(page, "/settings", member);
  await expectSoundPage(page);
  await page.getByRole("main").getByRole("link", { name: "Your account" }).click();
  await expect(page.getByRole("heading", { name: "Your account", level: 1 })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
});
