import { expect, type Page } from "@playwright/test";

import { DESKTOP_LOOK, expectSoundPage, expectToFitWidths, inLook, PHONE_LOOK } from "@/tests/e2e/support/page-checks";
import { ADMIN_PAGES } from "@/tests/e2e/support/page-list";

/**
 * Judges a page of the list that a test has opened anyway, as `pages.spec.ts` judges the others: axe in the look that
 * the test has and in the one whose turn it is, and that nothing overflows at other widths.
 */
export async function expectSoundListedPage(page: Page, name: string): Promise<void> {
  const index = ADMIN_PAGES.findIndex((each) => each.name === name);
  expectAt(new URL(page.url()), ADMIN_PAGES[index]?.path ?? "");
  await expectSoundPage(page);
  await expectToFitWidths(page, index);
  const look = index % 2 === 0 ? DESKTOP_LOOK : PHONE_LOOK;
  if (page.viewportSize()?.width !== look.width) await inLook(page, look, () => expectSoundPage(page));
}

/** Expects an address to be that of a path of the list, whatever else its query says. */
function expectAt({ pathname, searchParams }: URL, path: string): void {
  const [listed = "", query] = path.split("?");
  expect(pathname).toMatch(new RegExp(`^${listed.replaceAll(/\{\w+\}/g, "[0-9a-f-]{36}")}$`));
  expect(Object.fromEntries(searchParams)).toMatchObject(Object.fromEntries(new URLSearchParams(query)));
}
