import { expect, type Page } from "@playwright/test";

import { analyzeOrg, expectAccounted, start, test } from "@/tests/e2e/support/own-org";
import { expectSoundPage, expectToFitWidths, inLook, PHONE_LOOK } from "@/tests/e2e/support/page-checks";
import { type ListedPage, PUBLIC_PAGES, REFERENCE_PAGES } from "@/tests/e2e/support/page-list";
import { listPages } from "@/tests/e2e/support/pages";
import { test as signedOut } from "@/tests/e2e/support/watched";
import { isExhaustive, isTried } from "@/tests/support/exhaustive";

/** Over half a hundred pages, if all are to be tried. */
const LIMIT_MS = 1_200_000;

/**
 * Opens each page, and expects that everybody can read it: at first light and wide, then dark and on a phone, as for
 * whoever drags a window. Opening it once more on the phone would take a quarter longer. Unless all is to be tried, axe
 * judges each page in one of the two, by turns.
 */
async function expectSoundPages(page: Page, pages: readonly ListedPage[]): Promise<void> {
  for (const [index, { path }] of pages.entries()) {
    await test.step(path, async () => {
      await open(page, path);
      if (isExhaustive || index % 2 === 0) await expectSoundPage(page);
      await expectToFitWidths(page, index);
      if (isExhaustive || index % 2 === 1) await inLook(page, PHONE_LOOK, () => expectSoundPage(page));
    });
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

signedOut("every page that needs no sign-in can be read by everybody, wide and on a phone", async ({ page }) => {
  signedOut.setTimeout(LIMIT_MS);
  await expectSoundPages(page, PUBLIC_PAGES);
});

/** One of them is among the public pages, for dark colors. They differ in their words alone: the largest is tried. */
const TRIED_REFERENCE_PAGES = REFERENCE_PAGES.filter(({ path }) => isExhaustive || path === "/docs/migration");

signedOut("the pages of the reference can be read by everybody, at each width", async ({ page }) => {
  signedOut.setTimeout(LIMIT_MS);
  expect(TRIED_REFERENCE_PAGES).not.toEqual([]);
  for (const [index, { path }] of TRIED_REFERENCE_PAGES.entries())
    await test.step(path, async () => {
      await open(page, path);
      await expectSoundPage(page);
      await expectToFitWidths(page, index);
    });
});

test("the pages of the console can be read by everybody, wide and on a phone", async ({ page, org }) => {
  test.setTimeout(LIMIT_MS);
  await start(page, await analyzeOrg(page, org));
  await expectAccounted(page);
  const pages = (await listPages(page)).filter(isTried);
  await expectSoundPages(
    page,
    pages.filter(({ judgedIn }) => isExhaustive || !judgedIn),
  );
});
