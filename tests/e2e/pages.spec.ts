import { expect, type Page } from "@playwright/test";

import { analyzeOrg, expectAccounted, start, test } from "@/tests/e2e/support/own-org";
import { expectReadableColors, expectSoundPage, expectToFitWidths, isWide } from "@/tests/e2e/support/page-checks";
import { type ListedPage, PUBLIC_PAGES, REFERENCE_PAGES } from "@/tests/e2e/support/page-list";
import { listPages } from "@/tests/e2e/support/pages";
import { test as signedOut } from "@/tests/e2e/support/watched";

/** Over half a hundred pages. */
const LIMIT_MS = 1_200_000;

/**
 * Opens each page, and expects that everybody can read it in light and dark colors, at each width. On the phone, the
 * pages are dark: no color follows from the width, and only icons and a select are shown on narrow windows alone.
 */
async function expectSoundPages(page: Page, pages: readonly ListedPage[]): Promise<void> {
  for (const { path } of pages) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectSoundPage(page);
      if (!isWide(page)) return;
      await expectReadableColors(page);
      await expectToFitWidths(page);
    });
  }
}

signedOut(
  "every page that needs no sign-in can be read by everybody, in light and dark colors @phone",
  async ({ page }) => {
    signedOut.setTimeout(LIMIT_MS);
    await expectSoundPages(page, PUBLIC_PAGES);
  },
);

// One of them is among the public pages, for the phone: they differ in their words.
signedOut("every page of the reference can be read by everybody, in light and dark colors", async ({ page }) => {
  signedOut.setTimeout(LIMIT_MS);
  await expectSoundPages(page, REFERENCE_PAGES);
});

test("every page of the console can be read by everybody, in light and dark colors @phone", async ({ page, org }) => {
  test.setTimeout(LIMIT_MS);
  await start(page, await analyzeOrg(page, org));
  await expectAccounted(page);
  await expectSoundPages(page, await listPages(page));
});
