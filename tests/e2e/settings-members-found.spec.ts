import { randomBytes } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { createOwnOrganization } from "@/tests/e2e/support/own-organization";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/watched";
import { pool } from "@/tests/support/owner";
import { createUserWithPassword } from "@/tests/support/user-with-password";

const PATH = "/settings/members";
const PASSWORD = "cobalt harvest lantern 42";

const rowOf = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });
const unique = () => randomBytes(4).toString("hex");

test("among many members one is found by name, and nobody where nobody is called like that", async ({ page }) => {
  const { organizationId, admin } = await createOwnOrganization();
  for (let count = 1; count <= 6; count += 1) {
    const person = { name: `Colleague ${count}`, email: `${unique()}@own.example`, password: PASSWORD };
    await createUserWithPassword(organizationId, person, "member");
  }
  await signIn(page, PATH, admin);
  const search = page.getByRole("searchbox", { name: "Find a member" });
  await search.fill("COLLEAGUE 5");
  await expect(rowOf(page, "Colleague")).toHaveCount(1);
  await expect(page.getByRole("status").filter({ hasText: /^1 member$/ })).toHaveCount(1);
  await expectSoundPage(page);
  await search.fill("nobody of this name");
  await expect(page.getByText("Nobody is called like that")).toBeVisible();
  await expectSoundPage(page);
});

test("a member whom a migration made is invited, and sets a password by the link", async ({ page }) => {
  const { organizationId, admin, member } = await createOwnOrganization();
  await pool().query("UPDATE users SET email = $1, password_hash = NULL WHERE email = $2", [
    `${unique()}@${organizationId}.invalid`,
    member.email,
  ]);
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE organization_id = $1 AND role = 'member'", [
    organizationId,
  ]);
  await signIn(page, PATH, admin);
  await expect(rowOf(page, "Mia Member")).toContainText("No e-mail address yet");
  await page.getByRole("button", { name: "Manage Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(dialog.getByText("This is not an e-mail address.")).toBeVisible();
  await dialog.getByLabel("E-mail address").fill(member.email);
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Invite" }).click();
  const link = dialog.locator("code");
  await expect(link).toContainText("/set-password#");
  const address = await link.innerText();
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(rowOf(page, member.email)).toContainText("Invited");

  await page.context().clearCookies();
  await page.goto(address);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("heading", { name: "Your password is set" })).toBeVisible();
  await signIn(page, "/settings/account", { email: member.email, password: PASSWORD });
});
