import { expect } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { createMember } from "@/tests/e2e/support/member";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/watched";

const PATH = "/settings/account";

test("a person changes their own name, and sees it in the frame of the pages @phone", async ({ page }) => {
  const person = await createMember();
  await signIn(page, PATH, person);
  await expect(page.getByText(person.email)).toBeVisible();
  await expect(page.getByText("Member: works with all records and migrations.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await expectSoundListedPage(page, "settings-account");

  await page.getByRole("textbox", { name: "Name" }).fill(" ");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Enter a name.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("textbox", { name: "Name" }).fill("Wanda Renamed");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved.")).toBeAttached();
  await page.getByRole("textbox", { name: "Name" }).fill("Wanda Renamed twice");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeFocused();
  await expect(page.getByRole("button", { name: /Wanda Renamed/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Wanda Renamed twice");
});
