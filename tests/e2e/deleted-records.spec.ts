import { expect } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

test("deleted records are listed, narrowed to a kind, and restored from there @phone", async ({ page }) => {
  await page.goto("/accounts");
  for (const [resource, fields] of [
    ["accounts", { name: "Lignite Trade" }],
    ["accounts", { name: "Lignite Mining" }],
    ["leads", { last_name: "Lignite Second" }],
    ["leads", { last_name: "Lignite" }],
  ] as const) {
    const { id } = await send(page, "POST", `/${resource}`, fields);
    await send(page, "DELETE", `/${resource}/${id}`);
  }

  await page.goto("/deleted");
  const rows = page.getByRole("table", { name: "Deleted records" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("Lignite");
  await expect(rows.nth(3)).toContainText("Lignite Mining");
  await expectSoundListedPage(page, "deleted");
  await page.getByLabel("Kind").selectOption("Accounts");
  await expect(rows.nth(1)).toContainText("Lignite Mining");
  expect(new URL(page.url()).search).toBe("?kind=accounts");
  await page.reload();
  for (const name of ["Restore Lignite Trade", "Restore Lignite Mining"]) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  const said = page.getByRole("alert").filter({ hasText: "Account restored" });
  await expect(said).toHaveCount(1);
  await said.getByRole("link", { name: "Lignite Mining" }).click();
  await page.waitForURL("**/accounts/*");
  await expect(page.getByRole("heading", { name: "Lignite Mining" })).toBeVisible();

  await page.goto("/deleted?kind=leads");
  const box = page.getByRole("checkbox", { name: "Select Lignite Second" });
  await box.click();
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(box).toHaveCount(0);
  await page.getByRole("link", { name: "Lignite", exact: true }).first().click();
  await expect(page.getByRole("alert").filter({ hasText: "This lead was deleted" })).toContainText(
    "It can be restored",
  );
});
