import { expect } from "@playwright/test";

import { expectReadableColors, expectSoundPage, expectToFitWidths } from "@/tests/e2e/support/page-checks";
import { listPages, PUBLIC_PAGES } from "@/tests/e2e/support/pages";
import { test } from "@/tests/e2e/support/signed-in";
import { test as signedOut } from "@/tests/e2e/support/watched";

/** Over half a hundred pages. */
const LIMIT_MS = 1_200_000;

signedOut(
  "every page that needs no sign-in can be read by everybody, in light and dark colors, at each width @phone",
  async ({ page }) => {
    signedOut.setTimeout(LIMIT_MS);
    for (const { path } of PUBLIC_PAGES) {
      await signedOut.step(path, async () => {
        await page.goto(path);
        await expectSoundPage(page);
        await expectReadableColors(page);
        await expectToFitWidths(page);
      });
    }
  },
);

test("every page of the console can be read by everybody, in light and dark colors, at each width @phone", async ({
  page,
}) => {
  test.setTimeout(LIMIT_MS);
  await page.goto("/accounts");
  for (const { path } of await listPages(page)) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectSoundPage(page);
      await expectReadableColors(page);
      await expectToFitWidths(page);
    });
  }
});
