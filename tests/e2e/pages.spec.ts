import { expect, type Page } from "@playwright/test";

import { analyzeOrg, expectAccounted, start, test } from "@/tests/e2e/support/own-org";
import { expectSoundPage, expectToFitWidths, onPhone } from "@/tests/e2e/support/page-checks";
import { type ListedPage, PUBLIC_PAGES, REFERENCE_PAGES } from "@/tests/e2e/support/page-list";
import { listPages } from "@/tests/e2e/support/pages";
import { test as signedOut } from "@/tests/e2e/support/watched";
import { isTried } from "@/tests/support/exhaustive";

/** Over half a hundred pages. */
const LIMIT_MS = 1_200_000;

/**
 * Opens each page, and expects that everybody can read it: at first light and wide, then dark and on a phone, as for
 * whoever drags a window. Opening it once more on the phone would take a quarter longer.
 */
async function expectSoundPages(page: Page, pages: readonly ListedPage[]): Promise<void> {
  for (const { path } of pages) {
    await test.step(path, async () => {
      await open(page, path);
      await onPhone(page, () => expectSoundPage(page));
    });
  }
}

/** Opens a page wide, and expects that it is sound, and fits each width. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectSoundPage(page);
  await expectToFitWidths(page);
}

signedOut("every page that needs no sign-in can be read by everybody, wide and on a phone", async ({ page }) => {
  signedOut.setTimeout(LIMIT_MS);
  await expectSoundPages(page, PUBLIC_PAGES);
});

// One of them is among the public pages, for dark colors: they differ in their words.
signedOut("every page of the reference can be read by everybody, at each width", async ({ page }) => {
  signedOut.setTimeout(LIMIT_MS);
  for (const { path } of REFERENCE_PAGES.filter(isTried)) await test.step(path, () => open(page, path));
});

test("every page of the console can be read by everybody, wide and on a phone", async ({ page, org }) => {
  test.setTimeout(LIMIT_MS);
  await start(page, await analyzeOrg(page, org));
  await expectAccounted(page);
  await expectSoundPages(page, (await listPages(page)).filter(isTried));
});
