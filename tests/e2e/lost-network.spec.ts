import { expect, type Page } from "@playwright/test";

import { openPart } from "@/tests/e2e/support/configuration";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

const NOT_LOADED = "This part of the page could not be loaded";

/** No script that the page does not have yet reaches it, until `end`. */
async function withoutScripts(page: Page): Promise<{ end: () => Promise<void> }> {
  // What shows messages comes after the page, and none could be seen without it.
  await page.locator(".mantine-Notifications-root").first().waitFor({ state: "attached" });
  const scripts = "**/_next/static/**/*.js*";
  const aborted: Promise<void>[] = [];
  await page.route(scripts, (route) => void aborted.push(route.abort()));
  return {
    end: async () => {
      await page.unroute(scripts);
      // A chunk whose failure the page has not seen yet would fail the second try, too.
      await Promise.all(aborted);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    },
  };
}

test("a part of the configuration that does not load leaves the choices, and loads on a second try", async ({
  page,
}) => {
  await openPart(page, "options");
  await page.getByRole("checkbox", { name: /^Copy attachments/ }).click();
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  const outage = await withoutScripts(page);
  await page.getByRole("tab", { name: "Values" }).click();
  const alert = page.getByRole("alert").filter({ hasText: NOT_LOADED });
  await expect(alert).toBeVisible();
  await expectSoundPage(page);
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  await outage.end();
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table", { name: /^Values of/ }).first()).toBeVisible();
  await expect(page.getByText("1 change is not saved")).toBeVisible();
});

test("a palette that does not load leaves the page, and opens on a second try", async ({ page }) => {
  await page.goto("/accounts/new");
  await page.getByLabel("Name", { exact: false }).first().fill("Still there");
  const outage = await withoutScripts(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByText(NOT_LOADED)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: false }).first()).toHaveValue("Still there");
  await outage.end();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search or go to" })).toBeVisible();
});

test("a note whose answer is lost is added once, also when it is sent again", async ({ page }) => {
  const { id } = await send(page, "POST", "/cases", { subject: "The pump leaks" });
  await page.goto(`/cases/${id}`);
  const words = `Called back, ${Date.now()}`;
  await page.getByRole("textbox", { name: "Comment" }).fill(words);
  await page.route("**/comments", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Add the comment" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "No connection" })).toBeVisible();
  await page.unroute("**/comments");
  await page.getByRole("button", { name: "Add the comment" }).click();
  await expect(page.getByRole("textbox", { name: "Comment" })).toHaveValue("");
  await page.reload();
  await expect(page.getByText(words)).toHaveCount(1);
});

test("a one-time link that could not be checked is checked again, without opening it again", async ({ page }) => {
  const check = "**/api/auth/password-link";
  await page.route(check, (route) => route.abort());
  await page.goto("/set-password#no-link-of-ours");
  await expect(page.getByRole("alert").filter({ hasText: "No connection" })).toBeVisible();
  await page.unroute(check);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "This link does not work" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
});

test("without a network a change fails at once, and its dialog can be left", async ({ page, context }) => {
  await page.goto("/products/new");
  await page.getByLabel("Name", { exact: false }).first().fill("Stays without a network");
  await page.getByRole("button", { name: "Create the product" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this product?" });
  await expect(dialog).toBeVisible();
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await expect(dialog.getByRole("alert")).toContainText("No connection");
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await expect(dialog).toHaveCount(0);
  await context.setOffline(false);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Stays without a network" })).toBeVisible();
});
