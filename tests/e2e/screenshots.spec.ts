import { mkdir } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";
import sharp from "sharp";

import { waitUntilStill } from "@/tests/e2e/support/page-checks";
import { type ListedPage, PUBLIC_PAGES, REFERENCE_PAGES } from "@/tests/e2e/support/page-list";
import { listPages } from "@/tests/e2e/support/pages";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/watched";

const FOLDER = "docs/screenshots";

/** What shows on a screen and a half; the rest of a long list says no more. */
const MAX_HEIGHT = 1400;

/** Good enough to read small text, at a quarter of the size of a PNG. */
const WEBP = { quality: 60, effort: 6 };

test("takes a picture of every page, in light and dark colors @screenshot", async ({ page }) => {
  test.setTimeout(1_800_000);
  await mkdir(FOLDER, { recursive: true });
  const width = page.viewportSize()?.width ?? 0;
  expect([1440, 390]).toContain(width);
  for (const each of [...PUBLIC_PAGES, ...REFERENCE_PAGES]) await takePictures(page, each, width);
  await signIn(page, "/accounts");
  for (const each of await listPages(page)) await takePictures(page, each, width);
  await takePalette(page, width);
});

async function takePictures(page: Page, { name, path }: ListedPage, width: number): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    await waitUntilStill(page);
    await takePicture(page, `${name}-${width}-${colorScheme}`);
  }
}

/** The command palette over a list, with records that it has found. */
async function takePalette(page: Page, width: number): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/accounts");
    await page.getByRole("button", { name: /^Search or go to/ }).click();
    await page.getByRole("combobox", { name: /Search records/ }).fill("an");
    await expect(page.getByRole("group", { name: "Records" }).getByRole("option").first()).toBeVisible();
    await waitUntilStill(page);
    await takePicture(page, `palette-${width}-${colorScheme}`);
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const shown = Math.min(Math.max(height, size.height), MAX_HEIGHT);
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: size.width, height: shown }, fullPage: true });
  await sharp(png).webp(WEBP).toFile(`${FOLDER}/${name}.webp`);
}
